import { readFileSync } from 'node:fs';
import { registerHooks, stripTypeScriptTypes } from 'node:module';

// Loaded before everything else when Countersign is installed below a node_modules folder, where Node does not strip
// types by itself. Other packages are left to Node.
const source = new URL('../', import.meta.url).href;

registerHooks({
  load(url, context, nextLoad) {
    if (!url.startsWith(source) || !url.endsWith('.ts')) return nextLoad(url, context);
    const code = stripTypeScriptTypes(readFileSync(new URL(url), 'utf8'));
    return { format: 'module', source: code, shortCircuit: true };
  },
});
