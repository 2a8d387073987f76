import { hasTool } from '../support/tools.ts';
import type { ClientDriver } from './driver.ts';
import { pythonDriver } from './python-driver.ts';
import { typescriptDriver } from './typescript-driver.ts';

/** All clients that must keep the contract. `npm test` installs Python, or reports that its client is not tested. */
export const drivers: ClientDriver[] = [typescriptDriver(), ...(hasTool('python3') ? [pythonDriver()] : [])];
