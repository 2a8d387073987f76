import { type ChildProcess, spawn } from 'node:child_process';
import { globSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { freePort } from '../support/free-port.ts';
import { type ColorScheme, type Engine, scrollToMiddle, type Tab } from './tab.ts';

const startMs = 20_000;
/** Time from one point of a stroke to the next. Browsers merge faster moves into one. */
const movingMs = 20;
/** The name of an element in WebDriver's answers (W3C WebDriver, 12.3). */
const elementKey = 'element-6066-11e4-a52e-4f735466cecf';

type Call = (method: 'GET' | 'POST' | 'DELETE', path: string, body?: object) => Promise<unknown>;

/** Starts WebKitGTK on a screen of its own, driven through W3C WebDriver. */
export async function startWebkit(colorScheme: ColorScheme): Promise<Engine> {
  const [binary] = globSync('/usr/lib/*/webkit2gtk-4.1/MiniBrowser');
  if (binary === undefined) throw new Error('MiniBrowser of libwebkit2gtk-4.1 is not installed');
  const port = await freePort();
  const settings = { GTK_THEME: colorScheme === 'dark' ? 'Adwaita:dark' : 'Adwaita', LIBGL_ALWAYS_SOFTWARE: '1' };
  const screen = ['--auto-servernum', '--server-args=-screen 0 1600x1200x24 -nolisten tcp'];
  const driver = spawn('xvfb-run', [...screen, 'WebKitWebDriver', '--host=127.0.0.1', `--port=${port}`], {
    env: { ...process.env, ...settings },
    stdio: 'ignore',
    detached: true,
  });
  const call = callsTo(`http://127.0.0.1:${port}`);
  await untilReady(driver, call);
  const { sessionId } = (await call('POST', '/session', {
    capabilities: {
      alwaysMatch: { browserName: 'MiniBrowser', 'webkitgtk:browserOptions': { binary, args: ['--automation'] } },
    },
  })) as { sessionId: string };
  return {
    tab: tabOf((method, path, body) => call(method, `/session/${sessionId}${path}`, body)),
    async close() {
      await call('DELETE', `/session/${sessionId}`);
      if (driver.pid !== undefined) process.kill(-driver.pid);
    },
  };
}

function callsTo(origin: string): Call {
  return async (method, path, body) => {
    const response = await fetch(origin + path, { method, body: body === undefined ? null : JSON.stringify(body) });
    const { value } = (await response.json()) as { value: unknown };
    if (!response.ok) throw new Error(`${method} ${path}: ${JSON.stringify(value)}`);
    return value;
  };
}

async function untilReady(driver: ChildProcess, call: Call): Promise<void> {
  const end = performance.now() + startMs;
  while (driver.exitCode === null && performance.now() < end) {
    const status = await call('GET', '/status').catch(() => null);
    if ((status as { ready?: boolean } | null)?.ready === true) return;
    await sleep(100);
  }
  throw new Error('WebKitWebDriver did not start');
}

function tabOf(call: Call): Tab {
  const find = async (selector: string): Promise<string> => {
    const found = await call('POST', '/element', { using: 'css selector', value: selector });
    return (found as Record<string, string>)[elementKey] ?? '';
  };
  const move = (x: number, y: number, origin: unknown = 'viewport') => {
    return { type: 'pointerMove', duration: movingMs, x: Math.round(x), y: Math.round(y), origin };
  };
  const point = (actions: object[]) =>
    call('POST', '/actions', {
      actions: [{ type: 'pointer', id: 'mouse', parameters: { pointerType: 'mouse' }, actions }],
    });
  const evaluate = async <Value>(expression: string) =>
    (await call('POST', '/execute/sync', { script: `return (${expression})`, args: [] })) as Value;
  const click = async (selector: string) => {
    const element = await find(selector);
    await evaluate(scrollToMiddle(selector));
    await call('POST', `/element/${element}/click`, {});
  };
  const type = async (selector: string, text: string) => {
    await click(selector);
    await call('POST', `/element/${await find(selector)}/value`, { text });
  };
  return {
    async open(url) {
      await call('POST', '/timeouts', { implicit: 20_000 });
      await call('POST', '/url', { url });
    },
    async resize(width, height) {
      await call('POST', '/window/rect', { width, height });
    },
    click,
    type,
    async inFrame(selector, work) {
      await call('POST', '/frame', { id: { [elementKey]: await find(selector) } });
      try {
        await work({ click, type, evaluate });
      } finally {
        await call('POST', '/frame', { id: null });
      }
    },
    async draw(selector, points) {
      const box = await evaluate<{ x: number; y: number }>(
        `(element => { element.scrollIntoView({ block: 'center' }); return element.getBoundingClientRect().toJSON(); })(document.querySelector(${JSON.stringify(selector)}))`,
      );
      const [first = [0, 0], ...rest] = points;
      await point([
        move(box.x + first[0], box.y + first[1]),
        { type: 'pointerDown', button: 0 },
        ...rest.map(([x, y]) => move(box.x + x, box.y + y)),
        { type: 'pointerUp', button: 0 },
      ]);
      await call('DELETE', '/actions');
    },
    evaluate,
  };
}
