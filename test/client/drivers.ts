import type { ClientDriver } from './driver.ts';
import { typescriptDriver } from './typescript-driver.ts';

/** Every client that must keep the contract. */
export const drivers: ClientDriver[] = [typescriptDriver()];
