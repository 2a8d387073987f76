import { createElement } from 'react';
import { createRoot } from 'react-dom/client';
import { SigningFrame } from '../../packages/react/src/index.ts';

/** The script of an application that shows a signing page with the React component. Bundled by embedded.test.ts. */
const root = document.getElementById('root');
const called = [];
Object.assign(window, { called });
const note = (event) => (state) => called.push(`${event} ${state}`);

createRoot(root).render(
  createElement(SigningFrame, {
    link: root.dataset.link ?? '',
    label: 'Sign the lease',
    onReady: note('ready'),
    onSigned: note('signed'),
    onDeclined: note('declined'),
  }),
);
