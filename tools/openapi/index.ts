import { description3 } from './description.js';
import { toLlmsText } from './llms.js';
import { toOpenApi2 } from './openapi2.js';
import { publishedTools } from './tools.js';

/** The description of the HTTP interface in OpenAPI 3.1. The others are derived from it. */
export { description3 };

/** The same as an OpenAPI 2.0 document. */
export const description = toOpenApi2(description3);

/** The tools for assistants (MCP). */
export const mcpTools = publishedTools(description3);

/** The same in plain text, for language models. */
export const llmsText = toLlmsText(description3);
