/** The pages of the documentation site, in reading order. Paths are below `docs/`. Other Markdown files are not on the site. */
export const navigation: { title: string; pages: string[] }[] = [
  { title: 'Start', pages: ['README.md', 'start/quick-start.md', 'start/concepts.md'] },
  {
    title: 'Guides',
    pages: [
      'guides/send.md',
      'guides/order-and-roles.md',
      'guides/attached-pdfs.md',
      'guides/webhooks.md',
      'guides/receivers.md',
      'guides/reconcile.md',
      'guides/test-mode.md',
      'guides/imports.md',
      'guides/vendor-import.md',
      'guides/unlocking.md',
      'guides/embed.md',
      'guides/console.md',
      'guides/api-client.md',
      'guides/mcp.md',
      'guides/command-line.md',
      'verify.md',
    ],
  },
  {
    title: 'Operate',
    pages: [
      'operate/install.md',
      'operate/configure.md',
      'operate/upgrade.md',
      'operate/back-up.md',
      'operate/read-the-log.md',
      'operate/performance.md',
    ],
  },
  {
    title: 'Security',
    pages: [
      'security/threat-model.md',
      'security/authentication.md',
      'security/cryptography.md',
      'security/data.md',
      'security/pdf-processes.md',
      'security/dependencies.md',
    ],
  },
  { title: 'More', pages: ['decisions.md', 'changelog.md'] },
];
