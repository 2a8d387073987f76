import { serveStdio as serve } from '@modelcontextprotocol/server/stdio';
import type { Caller } from './caller.ts';
import { createServer, type McpServerDeps } from './mcp-server.ts';

/** Serves one client on stdin and stdout, until stdin ends. Returns a function that ends it earlier. */
export function serveStdio(deps: McpServerDeps, caller: Caller): () => Promise<void> {
  const handle = serve(() => createServer(deps, caller), { onerror: deps.report });
  return () => handle.close();
}
