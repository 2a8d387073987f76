import { type AccentColours, accentColours } from '../branding/accent.ts';
import { Html, html } from '../http/html.ts';
import type { EmailContent, EmailLook } from './email-content.ts';

/**
 * Renders HTML for mail programs: tables for the layout and styles on the elements, because many programs drop everything
 * else. The style sheet only adds dark colours and narrow screens. Nothing is loaded from other hosts. The colours are
 * those of the signing page, or derived from the company's.
 */
export function renderEmailHtml(content: EmailContent): string {
  const colours = coloursOf(content.look);
  return html`<!doctype html>
<html lang="${content.language}" dir="ltr">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="supported-color-schemes" content="light dark">
<meta name="format-detection" content="telephone=no, date=no, address=no, email=no">
<title>${content.subject}</title>
<style>${styleSheet(colours.dark)}</style>
</head>
<body class="page" style="margin:0;padding:0;background-color:#f1efe9;-webkit-text-size-adjust:100%">
<div style="display:none;max-height:0;overflow:hidden;mso-hide:all">${content.preheader}</div>
<table role="presentation" class="page" width="100%" ${bare} style="background-color:#f1efe9">
<tr><td align="center" class="outer" style="padding:32px 16px">
<table role="presentation" width="100%" ${bare} style="max-width:580px">
<tr><td class="soft" style="padding:0 4px 14px;${type(15, 22, '#565c69')};font-weight:600;${breakable}">${sender(content)}</td></tr>
<tr><td class="card inner" style="padding:36px 40px;background-color:#fffefb;border:1px solid #dfdbd2;border-radius:10px">
${card(content, colours.light)}
</td></tr>
<tr><td class="soft" style="padding:18px 4px 0;${type(12, 19, '#565c69')};${breakable}">
${content.footer.map((line) => html`<div>${line}</div>\n`)}${footerLink(content)}</td></tr>
</table>
</td></tr>
</table>
</body>
</html>
`.toString();
}

/** The company's logo, or its name. The name is the text of the logo where pictures aren't shown. */
function sender({ accountName, look: { logo } }: EmailContent): Html | string {
  if (logo === null) return accountName;
  const { source, width, height } = logo;
  return html`<img class="logo" src="${source}" width="${width}" height="${height}" alt="${accountName}" style="display:block;border:0;max-width:100%;height:auto">`;
}

/** The colours of links and of the button. */
interface Colours {
  link: string;
  fill: string;
  edge: string;
  onFill: string;
}

function coloursOf({ accent }: EmailLook): { light: Colours; dark: Colours } {
  if (accent === null) {
    return {
      light: { link: '#22407a', fill: '#22407a', edge: '#22407a', onFill: '#ffffff' },
      dark: { link: '#a9c2f7', fill: '#a9c2f7', edge: '#a9c2f7', onFill: '#0f1c38' },
    };
  }
  const { light, dark } = accentColours(accent);
  const chosen = ({ text, fill, fillEdge, onFill }: AccentColours) => ({ link: text, fill, edge: fillEdge, onFill });
  return { light: chosen(light), dark: chosen(dark) };
}

function footerLink({ footerLink: found }: EmailContent): Html | null {
  if (found === undefined) return null;
  return html`<div><a class="soft" href="${found.link}" style="color:#565c69">${found.label}</a></div>\n`;
}

function card(content: EmailContent, colours: Colours): Html {
  const { heading, greeting, introduction, title, facts, quote, action, notes } = content;
  return html`<h1 class="ink" style="margin:0 0 20px;${type(24, 31, '#1b1f29')};font-weight:700">${heading}</h1>
<p class="ink" style="margin:0 0 8px;${type(16, 25, '#1b1f29')};${breakable}">${greeting}</p>
<p class="ink" style="margin:0 0 22px;${type(16, 25, '#1b1f29')};${breakable}">${lined(introduction.split('\n'))}</p>
${summary(title, facts)}
${quote === null ? null : message(quote)}
${action === null ? null : linked(action, colours)}
${notes.map((note) => html`<p class="soft" style="margin:0 0 8px;${type(13, 20, '#565c69')}">${note}</p>\n`)}`;
}

/** Joins lines by line breaks. */
function lined(lines: readonly string[]) {
  return lines.map((line, index) => [index === 0 ? null : html`<br>\n`, line]);
}

function linked({ label, link: href, fallback }: NonNullable<EmailContent['action']>, colours: Colours): Html {
  return html`${button(label, href, colours)}
<p class="soft" style="margin:0 0 4px;${type(13, 20, '#565c69')}">${fallback}</p>
<p class="rule" style="margin:0 0 20px;padding:0 0 22px;border-bottom:1px solid #dfdbd2;${type(13, 20, colours.link)};word-break:break-all">${link(href, colours)}</p>`;
}

function summary(title: string, facts: EmailContent['facts']): Html {
  return html`<table role="presentation" width="100%" ${bare} style="margin:0 0 26px">
<tr><td class="panel" style="padding:18px 20px;background-color:#f6f4ee;border:1px solid #dfdbd2;border-radius:8px">
<p class="ink" style="margin:0 0 6px;${type(20, 27, '#1b1f29', serif)};font-weight:600;${breakable}">${title}</p>
<table role="presentation" width="100%" ${bare}>
${facts.map(
  ({ label, value }) => html`<tr>
<td valign="top" class="soft" style="padding:5px 16px 0 0;${type(14, 21, '#565c69')};white-space:nowrap">${label}</td>
<td valign="top" width="100%" class="ink" style="padding:5px 0 0;${type(14, 21, '#1b1f29')};${breakable}">${value}</td>
</tr>\n`,
)}</table>
</td></tr>
</table>`;
}

/** Sets the sender's message apart from our text, in the direction of its own script. */
function message({ label, lines }: { label: string; lines: string[] }): Html {
  return html`<p class="soft" style="margin:0 0 6px;${type(14, 21, '#565c69')};${breakable}">${label}</p>
<table role="presentation" width="100%" ${bare} style="margin:0 0 28px">
<tr><td class="quote ink" dir="auto" style="padding:2px 16px;border-left:3px solid #c9c3b6;${type(16, 25, '#1b1f29')};${breakable}">${lined(lines)}</td></tr>
</table>`;
}

/** Makes a button. The cell has the colour too, for programs that ignore a link's padding and background. */
function button(label: string, href: string, { fill, edge, onFill }: Colours): Html {
  return html`<table role="presentation" class="wide" ${bare} style="margin:0 0 26px">
<tr><td align="center" class="button" bgcolor="${fill}" style="background-color:${fill};${edge !== fill && `border:1px solid ${edge};`}border-radius:8px"><a href="${href}" target="_blank" class="button" style="display:block;padding:15px 34px;${type(16, 20, onFill)};font-weight:600;text-decoration:none;border-radius:8px">${label}</a></td></tr>
</table>`;
}

function link(href: string, colours: Colours): Html {
  return html`<a class="link" href="${href}" target="_blank" style="color:${colours.link};text-decoration:underline">${href}</a>`;
}

const bare = new Html('cellpadding="0" cellspacing="0" border="0"');
const breakable = 'word-break:break-word;overflow-wrap:anywhere';
const sans = "-apple-system,BlinkMacSystemFont,'Segoe UI',Roboto,Helvetica,Arial,sans-serif";
const serif = "'Iowan Old Style','Palatino Linotype',Palatino,Georgia,serif";

function type(sizePx: number, linePx: number, color: string, family = sans): string {
  return `font-family:${family};font-size:${sizePx}px;line-height:${linePx}px;color:${color}`;
}

const styleSheet = ({ link, fill, edge, onFill }: Colours) =>
  new Html(`
@media (max-width:480px){.outer{padding:16px 10px!important}.inner{padding:26px 20px!important}.wide{width:100%!important}}
@media (prefers-color-scheme:dark){
.page{background-color:#121419!important}.card{background-color:#1b1e25!important;border-color:#353a46!important}
.panel{background-color:#22262f!important;border-color:#353a46!important}.ink{color:#ebe9e3!important}
.soft{color:#a9aeba!important}.rule{border-color:#353a46!important}.quote{border-color:#767d8c!important}
.link{color:${link}!important}.button{background-color:${fill}!important;border-color:${edge}!important;color:${onFill}!important}
.logo{padding:6px;background-color:#ffffff;border-radius:6px}
}
`);
