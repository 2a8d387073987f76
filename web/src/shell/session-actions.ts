import { ApiFailure, api, leaveFor } from '../api/client.ts';
import { choose } from '../language.ts';

export const themes = ['auto', 'light', 'dark'] as const;

export type Theme = (typeof themes)[number];

export function currentTheme(): Theme {
  const { theme } = document.documentElement.dataset;
  return theme === 'light' || theme === 'dark' ? theme : 'auto';
}

export function setTheme(theme: Theme): void {
  choose('theme', theme);
  if (theme === 'auto') delete document.documentElement.dataset.theme;
  else document.documentElement.dataset.theme = theme;
}

/** Reloads the page, because a page has the texts of one language only. */
export function changeLanguage(language: string): void {
  choose('language', language);
  location.reload();
}

/**
 * Loads a page, because everything it has read belongs to the other company. Also if the user is not a member of that company
 * any more: the new page doesn't offer it. If the server can't be reached, the page says so and stays.
 */
export async function switchAccount(id: string, page = '/documents'): Promise<void> {
  try {
    await api.post('/account', { body: { account_id: id } });
  } catch (failure) {
    if (!(failure instanceof ApiFailure) || failure.code !== 'not_found') throw failure;
  }
  location.assign(page);
}

/** The sign-in page of a company that opens with single sign-on only. It leads to `page`. */
export function ssoAddress({ sso_id }: { sso_id: string }, page = '/documents'): string {
  return `/sign-in/sso/${sso_id}?to=${encodeURIComponent(page)}`;
}

/** Leaves the console, also if the session has ended already. */
export async function signOut(): Promise<void> {
  await leaveFor(async () => {
    try {
      await api.post('/sign-out');
    } catch (failure) {
      if (!(failure instanceof ApiFailure) || failure.code !== 'not_signed_in') throw failure;
    }
    return '/';
  });
}
