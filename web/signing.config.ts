import { join } from 'node:path';
import { defineConfig } from 'vite';

const scripts = join(import.meta.dirname, '../src/signing/pages/browser');

/**
 * One script of the signing pages, named by the mode: `vite build --mode file-page`. It is one file with everything that
 * it imports, because each file would cost a phone a request. Compressed, it is a third smaller than the sources without types.
 */
export default defineConfig(({ mode }) => ({
  root: import.meta.dirname,
  publicDir: false,
  build: {
    modulePreload: { polyfill: false },
    target: ['chrome107', 'firefox104', 'safari16'],
    assetsDir: '',
    rolldownOptions: { input: join(scripts, `${mode}.ts`), output: { entryFileNames: '[name].js' } },
  },
}));
