export const MCP_PATH = '/mcp';

/** The request headers that the Model Context Protocol defines. */
export const MCP_HEADERS = ['MCP-Protocol-Version', 'Mcp-Method', 'Mcp-Name'];
