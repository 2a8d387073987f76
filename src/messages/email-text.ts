import type { EmailContent } from './email-content.ts';

export function renderEmailText(content: EmailContent): string {
  const { action, quote, footerLink } = content;
  const blocks = [
    content.heading,
    content.greeting,
    content.introduction,
    [content.title, ...content.facts.map(({ label, value }) => `${label}: ${value}`)].join('\n'),
    ...(quote === null ? [] : [`${quote.label}:`, quote.lines.map((line) => `  ${line}`.trimEnd()).join('\n')]),
    ...(action === null ? [] : [`${action.label}:\n${action.link}`]),
    ...content.notes,
    ['---', ...content.footer, ...(footerLink === undefined ? [] : [`${footerLink.label}: ${footerLink.link}`])].join(
      '\n',
    ),
  ];
  return `${blocks.join('\n\n')}\n`;
}
