// Whether both browsers start on this machine and show a page. Containers may forbid what their sandboxes need.
import { startFirefox } from './firefox.ts';
import { startWebkit } from './webkit.ts';

const triedMsMax = 120_000;

setTimeout(() => fail(new Error('the browsers did not start in time')), triedMsMax).unref();
for (const start of [startFirefox, startWebkit]) {
  const { tab, close } = await start('light').catch(fail);
  try {
    await tab.open('data:text/html,<title>Shown</title>');
    const title = await tab.evaluate('document.title');
    if (title !== 'Shown') throw new Error(`the page has the title ${title}`);
  } catch (error) {
    fail(error);
  } finally {
    await close();
  }
}

function fail(error: unknown): never {
  console.log(`A browser does not start here: ${(error as Error).message}`);
  process.exit(1);
}
