import tailwind from '@tailwindcss/vite';
import { defineConfig } from 'vite';

/**
 * The console's pages. There is no index.html: the server renders the document around the entry, and learns the names of
 * the built files from the manifest.
 */
export default defineConfig({
  root: import.meta.dirname,
  base: '/console/app/',
  publicDir: false,
  plugins: [tailwind()],
  oxc: { jsx: { runtime: 'automatic' } },
  build: {
    outDir: 'dist',
    assetsDir: '',
    manifest: 'manifest.json',
    modulePreload: { polyfill: false },
    // Data addresses are none of `self`, which is all that the content security policy allows.
    assetsInlineLimit: 0,
    target: ['chrome123', 'firefox128', 'safari17.5'],
    rolldownOptions: {
      input: 'src/main.tsx',
      // Every library for React says `use client`, which means nothing here.
      onLog: (level, log, warn) => log.code !== 'MODULE_LEVEL_DIRECTIVE' && warn(level, log),
    },
  },
});
