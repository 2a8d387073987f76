import { readFileSync } from 'node:fs';
import { registerHooks, stripTypeScriptTypes } from 'node:module';

// Loaded before everything else when Countersign is installed below a node_modules folder, where Node does not strip
// types by itself. Other packages are left to Node.
const sources = ['../', '../../packages/client/'].map((folder) => new URL(folder, import.meta.url).href);

registerHooks({
  load(url, context, nextLoad) {
    if (!url.endsWith('.ts') || !sources.some((source) => url.startsWith(source))) return nextLoad(url, context);
    const code = stripTypeScriptTypes(readFileSync(new URL(url), 'utf8'));
    return { format: 'module', source: code, shortCircuit: true };
  },
});
