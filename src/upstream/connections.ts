import http from 'node:http';
import https from 'node:https';
import { Socket, type LookupFunction } from 'node:net';

/** Returns the agent for a URL. */
type AgentOf = (url: Pick<URL, 'protocol'>) => http.Agent | https.Agent;
type Send<T> = (agentOf: AgentOf) => Promise<T>;

/**
 * Milliseconds after which an idle connection is closed. Longer than the 5 s after which servers close theirs: some calls
 * are sent twice, because the server has just closed their connection.
 */
const IDLE_SOCKET_MS = 4_000;

interface IdleConnection {
  socket: Socket;
  /** The bytes that were received before the request. */
  bytesRead: number;
}

/**
 * Creates the connections to upstream services, over HTTP and HTTPS. Idle connections stay open and are used again.
 * @param options.lookup finds the addresses of a host name
 */
export function createConnections({ lookup }: { lookup: LookupFunction }) {
  /** The idle connection that the last request took; undefined if that request opened a connection. */
  let taken: IdleConnection | undefined;

  /** Overrides the documented hook of an agent for a request that takes an idle connection. */
  function watched<A extends http.Agent>(agent: A): A {
    const reuseSocket = agent.reuseSocket.bind(agent);
    agent.reuseSocket = (socket, request) => {
      reuseSocket(socket, request);
      if (socket instanceof Socket) taken = { socket, bytesRead: socket.bytesRead };
    };
    return agent;
  }
  const keptOptions = {
    keepAlive: true,
    // With fewer, connections are opened again and again under load.
    maxFreeSockets: Infinity,
    timeout: IDLE_SOCKET_MS,
    lookup,
  };
  const kept = {
    http: watched(new http.Agent(keptOptions)),
    https: watched(new https.Agent(keptOptions)),
  };
  /** These open a connection for each request, and close it after the response. */
  const single = { http: new http.Agent({ lookup }), https: new https.Agent({ lookup }) };
  const agentOf =
    (agents: typeof single): AgentOf =>
    ({ protocol }) =>
      protocol === 'http:' ? agents.http : agents.https;

  /** The agent chooses the connection of a request before `send` returns. */
  function start<T>(send: Send<T>): { response: Promise<T>; idle: IdleConnection | undefined } {
    taken = undefined;
    const response = send(agentOf(kept));
    return { response, idle: taken };
  }

  return {
    /**
     * Sends a request. If it takes an idle connection that ends before the first byte of the response, it is sent once
     * more over a new connection: servers close idle connections at any time (RFC 9112, 9.3.1).
     * @param send starts a request that may be repeated, and starts none after its own signal has aborted
     * @throws what `send` rejects with
     */
    async send<T>(send: Send<T>): Promise<T> {
      const { response, idle } = start(send);
      try {
        return await response;
      } catch (error) {
        if (!idle || idle.socket.bytesRead !== idle.bytesRead) throw error;
        return send(agentOf(single));
      }
    },
    /** Closes all connections. */
    close(): void {
      for (const agent of [...Object.values(kept), ...Object.values(single)]) agent.destroy();
    },
  };
}
