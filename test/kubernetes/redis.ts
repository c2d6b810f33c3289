import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { NAMESPACES, sh } from './cluster.js';

const { redis: namespace } = NAMESPACES;
const IMAGE = 'redis:7.2.16-bookworm';

/**
 * Starts a Redis like in production: in another namespace, with a password, and TLS by a private certificate authority.
 * @param folder for the certificates; `ca.pem` is the one of the authority
 * @returns its address
 */
export async function startTlsRedis(folder: string, password: string): Promise<string> {
  await sh(`kubectl create namespace ${namespace}`);
  await sh(`kubectl -n ${namespace} create service clusterip redis --tcp=6380:6380`);
  const { stdout: address } = await sh(
    `kubectl -n ${namespace} get service redis -o jsonpath='{.spec.clusterIP}'`,
  );
  const openssl = (...args: string[]) => {
    execFileSync('openssl', args, { cwd: folder, stdio: 'pipe' });
  };
  const fresh = ['-newkey', 'rsa:2048', '-nodes', '-days', '2'];
  openssl(
    ...['req', '-x509', ...fresh, '-subj', '/CN=authority', '-keyout', 'ca.key', '-out', 'ca.pem'],
  );
  openssl(
    ...['req', '-x509', ...fresh, '-subj', '/CN=redis', '-CA', 'ca.pem', '-CAkey', 'ca.key'],
    ...['-addext', `subjectAltName=IP:${address}`, '-keyout', 'tls.key', '-out', 'tls.crt'],
  );
  await sh(
    `kubectl -n ${namespace} create secret tls redis --cert=${join(folder, 'tls.crt')} --key=${join(folder, 'tls.key')}`,
  );
  const args = [
    ...['--port', '0', '--tls-port', '6380', '--tls-auth-clients', 'no'],
    ...['--tls-cert-file', '/tls/tls.crt', '--tls-key-file', '/tls/tls.key'],
    ...['--tls-ca-cert-file', '/tls/tls.crt', '--requirepass', password],
    ...['--appendonly', 'yes', '--maxmemory-policy', 'noeviction'],
  ];
  const labels = { app: 'redis' };
  const pod = {
    ...{ apiVersion: 'v1', kind: 'Pod', metadata: { name: 'redis', namespace, labels } },
    spec: {
      containers: [
        {
          ...{ name: 'redis', image: IMAGE, args },
          volumeMounts: [{ name: 'tls', mountPath: '/tls' }],
        },
      ],
      volumes: [{ name: 'tls', secret: { secretName: 'redis' } }],
    },
  };
  const wait = `kubectl -n ${namespace} wait --for=condition=Ready pod/redis --timeout=3m`;
  await sh(`kubectl apply -f - && ${wait}`, { input: JSON.stringify(pod) });
  return `${address}:6380`;
}
