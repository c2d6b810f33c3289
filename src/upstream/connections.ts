import http from 'node:http';
import https from 'node:https';
import { Socket, type LookupFunction } from 'node:net';
import { createResponseLimits } from './response-limits.js';

type AgentOf = (url: Pick<URL, 'protocol'>) => http.Agent | https.Agent;
type Send<T> = (agentOf: AgentOf) => Promise<T>;

/** Shorter than the 5 s of servers, so that few calls are sent twice. */
const IDLE_SOCKET_MS = 4_000;

/**
 * Milliseconds in which an address of a host must accept a connection before the next address is
 * tried. Shorter: a distant host is not reached; 250 ms is the default of Node.js. Longer: a call
 * ends before it has tried all addresses.
 */
const ADDRESS_MS = 2_500;

interface Connection {
  received: ReturnType<typeof createResponseLimits>;
  isReused: boolean;
}

/**
 * Creates the connections to upstream services. Idle connections stay open and are used again.
 * @param options.timeoutMs the time limit of a call
 */
export function createConnections(options: { lookup: LookupFunction; timeoutMs: number }) {
  /** The connection that the last request took. */
  let taken: Connection | undefined;
  const allAgents: http.Agent[] = [];

  function take(socket: unknown, isReused: boolean): void {
    if (socket instanceof Socket) taken = { received: createResponseLimits(socket), isReused };
  }

  /** Overrides the documented hooks of an agent that choose the connection of a request. */
  function observed<A extends http.Agent>(agent: A): A {
    const createConnection = agent.createConnection.bind(agent);
    agent.createConnection = (...args) => {
      const socket = createConnection(...args);
      take(socket, false);
      return socket;
    };
    const reuseSocket = agent.reuseSocket.bind(agent);
    agent.reuseSocket = (socket, request) => {
      reuseSocket(socket, request);
      take(socket, true);
    };
    allAgents.push(agent);
    return agent;
  }

  function agents(more: https.AgentOptions): AgentOf {
    const agentOptions = {
      ...more,
      lookup: options.lookup,
      // Half of a short time limit: the second address also has time.
      autoSelectFamilyAttemptTimeout: Math.ceil(Math.min(ADDRESS_MS, options.timeoutMs / 2)),
    };
    const plain = observed(new http.Agent(agentOptions));
    const secure = observed(new https.Agent(agentOptions));
    return ({ protocol }) => (protocol === 'http:' ? plain : secure);
  }
  const keepAlive = agents({
    keepAlive: true,
    // With fewer, connections are opened again and again under load.
    maxFreeSockets: Infinity,
    timeout: IDLE_SOCKET_MS,
  });
  /** These open a connection for each request, and close it after the response. */
  const single = agents({});

  /**
   * Sends a request over one of these agents. If it takes an idle connection that ends before the
   * first byte of the response, it is sent once more over a new connection: servers close idle
   * connections at any time (RFC 9112, 9.3.1).
   */
  async function attempt<T>(send: Send<T>, agentOf: AgentOf): Promise<T> {
    taken = undefined;
    // The agent chooses the connection of the request before `send` returns.
    const response = send(agentOf);
    const connection = taken as Connection | undefined;
    try {
      return await response;
    } catch (error) {
      if (!connection) throw error;
      const { received, isReused } = connection;
      if (isReused && received.bytes === 0) return await attempt(send, single);
      throw received.excess ?? error;
    } finally {
      connection?.received.stop();
    }
  }

  return {
    /**
     * Sends a request and reads its response.
     * @param send starts a request that may be repeated, and starts none after its own signal has
     *   aborted
     * @throws ExcessError if the response exceeds a bound; what `send` rejects with
     */
    send: <T>(send: Send<T>): Promise<T> => attempt(send, keepAlive),
    close: (): void => {
      for (const agent of allAgents) agent.destroy();
    },
  };
}
