import type { ReactNode } from 'react';
import { isAtLeast, useMe } from '../api/me.ts';
import { RouteTabs, type Tab } from '../ui/tabs.tsx';
import { settingsTabs } from './settings-tabs.ts';
import { settingsText } from './texts.ts';

/** The frame of the settings tabs. Shows the tabs that the role may see. */
export function SettingsLayout({ current, children }: { current: Tab['to']; children: ReactNode }) {
  const { role } = useMe();
  return (
    <>
      <h1 className="mb-3 text-2xl sm:text-3xl">{settingsText.title}</h1>
      <RouteTabs
        label={settingsText.title}
        tabs={settingsTabs.filter((tab) => isAtLeast(role, tab.role))}
        current={current}
      >
        {children}
      </RouteTabs>
    </>
  );
}
