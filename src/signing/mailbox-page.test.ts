import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import type { MailboxMessage } from '../platform/mailbox.ts';
import { mailboxContentSecurityPolicy, renderMailboxPage } from './mailbox-page.ts';

const message: MailboxMessage = {
  id: '019a9f00-1234-7abc-8def-0123456789ab',
  channel: 'email',
  to: 'ada@example.org',
  subject: 'Please sign',
  text: 'Hello Ada',
  html: '<p>Hello Ada</p>',
  links: ['https://sign.example.com/sign/abc'],
  created_at: '2026-03-01T09:30:00.000Z',
};

test('shows each message with its links to follow, in the order given', () => {
  const page = renderMailboxPage([
    message,
    { ...message, id: 'two', channel: 'sms', to: '+1 555', subject: null, text: 'Sign\nhere', html: null },
  ]);
  expect(page).toContain('<bdi>ada@example.org</bdi>');
  expect(page).toContain('<h2 id="m-019a9f00-1234-7abc-8def-0123456789ab" dir="auto">Please sign</h2>');
  expect(page).toContain('<a href="https://sign.example.com/sign/abc" rel="noreferrer">');
  expect(page).toContain('<h2 id="m-two" dir="auto">Sign</h2>');
  expect(page.indexOf('ada@example.org')).toBeLessThan(page.indexOf('+1 555'));
  expect(page.match(/<iframe/g)?.length).toBe(1);
});

test('an empty mailbox says what would fill it', () => {
  expect(renderMailboxPage([])).toContain('No messages yet');
});

test('whatever a message holds is text, or shut into its frame', () => {
  const evil = `"><script>alert(1)</script><img src=x onerror=alert(1)>'`;
  const page = renderMailboxPage([
    {
      ...message,
      id: evil,
      to: evil,
      subject: evil,
      text: evil,
      html: evil,
      links: [evil, 'javascript:alert(1)', `https://x/${evil}`],
      created_at: evil,
    },
  ]);
  expect(page).not.toMatch(/<script|<img/);
  expect(page).not.toMatch(/href="javascript:/);
  expect(page).toContain(
    '<iframe title="The e-mail as it looks" sandbox="allow-popups allow-popups-to-escape-sandbox" loading="lazy" srcdoc="&quot;&gt;&lt;script&gt;',
  );
});

test('the policy lets nothing run and nothing be loaded from elsewhere', () => {
  expect(mailboxContentSecurityPolicy).toMatch(/^default-src 'none'; /);
  expect(mailboxContentSecurityPolicy).not.toMatch(/script-src|https?:|\*/);
  expect(readFileSync(new URL('mailbox.css', import.meta.url), 'utf8')).not.toMatch(/url\(|@import|<\//);
});
