import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { describe, it } from 'node:test';
import { parse } from 'yaml';
import { relabel, rulesIn, type Labels } from './relabel.js';

const read = (name: string) =>
  readFileSync(new URL(`../../k8s/observability/${name}`, import.meta.url), 'utf8');
const alloy = read('config.alloy');
const RULES = rulesIn(alloy);

/** Containers of the stack as Docker tells them: one target in each network. */
function targets(service: string, networks: Labels): Labels[] {
  return Object.entries(networks).map(([network, ip]) => ({
    __meta_docker_container_name: `/weather-${service}-1`,
    __meta_docker_container_label_com_docker_compose_service: service,
    __meta_docker_network_name: `weather_${network}`,
    __meta_docker_network_ip: ip,
  }));
}

const shipped = (service: string, networks: Labels): Labels[] =>
  targets(service, networks)
    .map((target) => relabel(target, RULES))
    .filter((labels) => labels !== undefined);

describe('the log shipper', () => {
  it('calls an instance as Prometheus does, and says which container it is', () => {
    const { scrape_configs: jobs } = parse(read('prometheus.yaml')) as {
      scrape_configs: {
        dns_sd_configs: { names: string[]; port: number }[];
        relabel_configs: { target_label: string }[];
      }[];
    };
    const [job] = jobs;
    const [{ names, port } = { names: [], port: 0 }] = job?.dns_sd_configs ?? [];
    assert.deepEqual(names, ['api', 'worker']);
    assert.ok(!job?.relabel_configs.some((rule) => rule.target_label === 'instance'));
    for (const service of names) {
      const found = shipped(service, { data: '172.19.0.3', edge: '172.18.0.5' });
      assert.equal(found.length, 1, 'of two networks, the one that Prometheus is in');
      const told = Object.entries(found[0]!).filter(([name]) => !name.startsWith('__'));
      assert.deepEqual(Object.fromEntries(told), {
        app: 'weather-lookup-service',
        namespace: 'compose',
        component: service,
        container: `weather-${service}-1`,
        // Prometheus makes it of address and port.
        instance: `172.18.0.5:${port}`,
      });
    }
    assert.match(alloy, /^ *match_first_network = false$/m);
  });

  it('is in no network that it does not know: Compose and it name them alike', () => {
    const compose = readFileSync(new URL('../../docker-compose.yml', import.meta.url), 'utf8');
    const { services } = parse(compose, { merge: true }) as {
      services: Record<string, { networks: string[] }>;
    };
    for (const service of ['api', 'worker', 'nginx', 'redis']) {
      const networks = Object.fromEntries(
        services[service]!.networks.map((name) => [name, '172.18.0.5']),
      );
      assert.equal(shipped(service, networks).length, 1, service);
    }
    const shared = services['prometheus']!.networks.filter((name) =>
      services['api']!.networks.includes(name),
    );
    assert.deepEqual(shared, ['edge'], 'where Prometheus finds the address of an instance');
  });

  it('sends the lines of no other container: Loki would store what it writes about queries', () => {
    for (const service of ['loki', 'grafana', 'prometheus', 'alloy', 'docker-proxy']) {
      assert.deepEqual(shipped(service, { observability: '172.20.0.2', edge: '172.18.0.9' }), []);
    }
  });

  it('leaves the time of a line alone that has none of its own', () => {
    const [, stage = ''] = /stage\.timestamp \{([^}]+)\}/.exec(alloy) ?? [];
    assert.match(stage, /action_on_failure = "skip"/);
  });
});

describe('Loki', () => {
  const { server, storage_config, limits_config, common } = parse(read('loki.yaml')) as Record<
    string,
    Record<string, unknown>
  >;

  it('stores chunks in the form that is configured, also in versions with another default', () => {
    assert.deepEqual(storage_config, { use_thanos_objstore: false });
    assert.ok('filesystem' in (common!['storage'] as object));
  });

  it('says nothing about each query', () => {
    assert.equal(server!['log_level'], 'warn');
  });

  it('passes on as many records with a stack as one query may ask for', () => {
    // Of 5,000 by default, with some 1.1 kB each.
    for (const way of ['recv', 'send']) {
      assert.ok(Number(server![`grpc_server_max_${way}_msg_size`]) > 8 * 1024 ** 2, way);
    }
  });

  it('shows what there is to who asks for more than it keeps', () => {
    assert.equal(limits_config!['max_query_lookback'], limits_config!['retention_period']);
    assert.equal(limits_config!['max_query_length'], 0);
  });
});
