import { Outlet, useLocation } from '@tanstack/react-router';
import { isAtLeast, useMe } from '../api/me.ts';
import { useTitle } from '../ui/page-title.tsx';
import { RouteTabs } from '../ui/tabs.tsx';
import { settingsGroups, settingsTabs } from './settings-tabs.ts';
import { settingsText } from './texts.ts';

/** The frame of all settings pages. It stays when the tab changes, so the keyboard focus stays on the tabs. */
export function SettingsLayout() {
  const { role } = useMe();
  const path = useLocation({ select: ({ pathname }) => pathname });
  const groups = settingsGroups
    .map(({ name, tabs }) => ({ name, tabs: tabs.filter((tab) => isAtLeast(role, tab.role)) }))
    .filter(({ tabs }) => tabs.length > 0);
  // A page below a tab, such as one endpoint, belongs to that tab.
  const current = settingsTabs.find(({ to }) => path === to || path.startsWith(`${to}/`));
  // A page below a tab names itself.
  useTitle(current?.to === path ? [current.name, settingsText.title] : null);
  return (
    <>
      <h1 className="mb-3 text-2xl sm:text-3xl">{settingsText.title}</h1>
      <RouteTabs label={settingsText.title} groups={groups} current={current?.to ?? '/settings'}>
        <Outlet />
      </RouteTabs>
    </>
  );
}
