import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { fileURLToPath } from 'node:url';
import { UPSTREAMS } from '../src/config/providers.js';

/**
 * The hosts, repositories, and container images that tracked files may name. Whoever registers an
 * invented name can run code in the deployments of everybody who follows the documents.
 */

const ROOT = fileURLToPath(new URL('..', import.meta.url));

/** The allowed names, by the reason for which files name them. */
const ALLOWED: Record<string, string[]> = {
  'hosts that the service calls': UPSTREAMS.flatMap(([, { host, customerHost = host }]) =>
    [host, customerHost].map((url) => new URL(url).host),
  ),
  'credit of providers': UPSTREAMS.flatMap(([, { attribution }]) =>
    attribution?.url ? new URL(attribution.url).host : [],
  ),
  'documentation and status of providers': [
    ...['docs.api.met.no', 'status.met.no', 'gitlab.gnome.org/GNOME/libgweather'],
    ...['github.com/open-meteo/open-meteo', 'weather-gov.github.io'],
    ...['www.wpc.ncep.noaa.gov', 'aa.usno.navy.mil'],
  ],
  'sources of the gazetteer': [
    ...['www.geonames.org', 'download.geonames.org', 'cldr.unicode.org', 'ourairports.com'],
    ...['www.openstreetmap.org', 'www.wikipedia.org'],
  ],
  licenses: ['creativecommons.org', 'opendatacommons.org', 'opensource.org'],
  'specifications and formats': [
    ...['keepachangelog.com', 'semver.org', 'swagger.io', 'www.w3.org'],
    ...['llmstxt.org', 'modelcontextprotocol.io', 'lnav.org', 'nginx.org', 'prometheus.io'],
  ],
  'known faults of libraries': [
    ...['github.com/koajs/session', 'github.com/redis/ioredis', 'github.com/taskforcesh/bullmq'],
  ],
  'groups of Kubernetes objects and annotations, which nothing resolves': [
    ...['app.kubernetes.io', 'kubernetes.io', 'pod-security.kubernetes.io'],
    ...['topology.kubernetes.io', 'nginx.ingress.kubernetes.io', 'networking.k8s.io'],
    ...['gateway.networking.k8s.io', 'kustomize.config.k8s.io', 'kustomize.toolkit.fluxcd.io'],
    ...['monitoring.coreos.com', 'argoproj.io'],
  ],
  'the registry and the repository of whoever publishes an image, as placeholders': [
    ...['ghcr.io/${{', 'ghcr.io/OWNER/NAME', 'github.com/OWNER/NAME'],
    'token.actions.githubusercontent.com',
  ],
};

/** The images that a container engine pulls for Compose, the manifests, the Dockerfile, or CI. */
const IMAGES = [
  ...['grafana/alloy', 'grafana/grafana', 'grafana/loki', 'nginx', 'node'],
  ...['oliver006/redis_exporter', 'prom/alertmanager', 'prom/prometheus', 'redis'],
];
/** The image of this project. Nothing pulls it. */
const OWN_IMAGE = 'weather-lookup-service';

/** Hosts on which everybody can register a path. */
const SHARED_HOSTS = /^(github\.com|ghcr\.io|docker\.io|quay\.io|gitlab\..*)$/;
/** Names that never belong to anybody (RFC 2606, RFC 6761), and names inside of a cluster. */
const RESERVED = /(^|\.)(example(\.(com|net|org))?|test|invalid|localhost|svc)$/;

const URL_PATTERN =
  /[a-z]:\/\/(?:[^\s/@'"]*@)?([a-z\d-]+(?:\.[a-z\d-]+)+)((?:\/[^\s/)'"`?#,;]+){0,2})/gi;
/** A name with a path but without a scheme, such as that of an image in a registry. */
const BARE_PATTERN =
  /(?<![\w./@-])((?:[a-z\d-]+\.)+(?:app|cloud|co|com|dev|gov|io|net|no|org|sh))((?:\/[^\s/)'"`?#:@]+){1,2})/gi;
const IMAGE_PATTERN =
  /^ *(?:- )?(?:image|container): ([a-z][\w./@:-]*)$|^FROM (?:--\S+ )?(\S+)|\bdocker (?:pull|run)(?: -\S+(?: [\w.:=-]+)?)*? ([a-z][\w./-]+:[\w.]+)/gm;

const paths = execFileSync('git', ['ls-files', '-z'], { cwd: ROOT, encoding: 'utf8' })
  .split('\0')
  .filter((path) => path !== '' && path !== 'test/addresses.test.ts');
/** The text of every tracked text file. npm writes the addresses of sponsors into its lock file. */
const texts = paths.flatMap((path) => {
  const text = readFileSync(join(ROOT, path), 'utf8');
  if (text.includes('\0')) return [];
  return [[path, path === 'package-lock.json' ? text.replace(/^ +"url": .*$/gm, '') : text]];
}) as [path: string, text: string][];

/** A host, or on a shared host the repository or the image. */
function nameOf(host: string, path: string): string {
  return SHARED_HOSTS.test(host) ? host + path.replace(/\.git$/, '') : host;
}

function namesIn(text: string): string[] {
  return [...text.matchAll(URL_PATTERN), ...text.matchAll(BARE_PATTERN)]
    .map(([, host = '', path = '']) => nameOf(host.toLowerCase(), path))
    .filter((name) => !/^[\d.]+$/.test(name) && !RESERVED.test(name.split('/')[0] ?? ''));
}

function imagesIn(text: string): string[] {
  return [...text.matchAll(IMAGE_PATTERN)]
    .map(([, image, base, run]) => image ?? base ?? run ?? '')
    .map((image) => image.replace(/[:@].*$/, ''))
    .filter((name) => name !== 'base' && name !== OWN_IMAGE && !name.startsWith('localhost/'));
}

/** The files with each name, and the name, of those that are not allowed. */
function others(find: (text: string) => string[], allowed: string[]): string[] {
  return texts.flatMap(([path, text]) =>
    find(text)
      .filter((name) => !allowed.includes(name))
      .map((name) => `${path}: ${name}`),
  );
}

describe('the tracked files', () => {
  it('name only hosts and repositories that exist: add a new one to the list, with its reason', () => {
    assert.deepEqual(others(namesIn, Object.values(ALLOWED).flat()), []);
  });

  it('name only images of others that exist, and the image that is built from the checkout', () => {
    assert.deepEqual(others(imagesIn, IMAGES), []);
    const found = new Set(texts.flatMap(([, text]) => imagesIn(text)));
    assert.deepEqual([...found].sort(), [...IMAGES].sort());
  });
});
