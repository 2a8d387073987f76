/** How often each address could not be loaded. */
const failures = new Map<string, number>();

/**
 * Loads a script that only some people need, once. Browsers may remember that an address could not be loaded, so after a failure
 * another try gets an address of its own. Throws if it can't be loaded.
 */
export async function loadScript<Module>(address: string): Promise<Module> {
  const count = failures.get(address) ?? 0;
  try {
    return await import(/* @vite-ignore */ count === 0 ? address : `${address}?again=${count}`);
  } catch (error) {
    failures.set(address, count + 1);
    throw error;
  }
}
