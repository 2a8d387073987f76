import { join } from 'node:path';
import { defineConfig } from 'vite';

/**
 * One script of the pages that the server renders, named by the mode: `vite build --mode signing/pages/browser/file-page`. It
 * is one file with everything that it imports, because each file would cost a phone a request. Compressed, the signing pages'
 * scripts are a third smaller than their sources without types.
 */
export default defineConfig(({ mode }) => ({
  root: import.meta.dirname,
  publicDir: false,
  build: {
    modulePreload: { polyfill: false },
    target: ['chrome107', 'firefox104', 'safari16'],
    assetsDir: '',
    rolldownOptions: {
      input: join(import.meta.dirname, `../src/${mode}.ts`),
      preserveEntrySignatures: 'exports-only',
      output: { entryFileNames: '[name].js' },
    },
  },
}));
