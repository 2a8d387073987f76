import { useNavigate } from '@tanstack/react-router';
import { useReducer } from 'react';
import { useMe } from '../api/me.ts';
import { fill } from '../language.ts';
import { Icon } from '../ui/icon.tsx';
import { Menu } from '../ui/menu.tsx';
import {
  changeLanguage,
  currentTheme,
  setTheme,
  signOut,
  ssoAddress,
  switchAccount,
  themes,
} from './session-actions.ts';
import { shellText } from './texts.ts';

/** The user's menu: e-mail address, other companies, theme and language. */
export function AccountMenu({ openShortcuts }: { openShortcuts: () => void }) {
  const { person, account, accounts, closed_accounts: closed, role, is_operator: isOperator } = useMe();
  const navigate = useNavigate();
  const others = accounts.filter(({ id }) => id !== account.id);
  const [, renew] = useReducer((count: number) => count + 1, 0);
  const theme = currentTheme();
  const groups = [
    [
      { name: shellText.account, act: () => void navigate({ to: '/account' }) },
      ...(isOperator
        ? [{ name: shellText.operator, act: () => void navigate({ to: '/operator/$', params: { _splat: '' } }) }]
        : []),
    ],
    [
      ...others.map(({ id, display_name }) => ({
        name: fill(shellText.switchTo, { name: display_name }),
        act: () => void switchAccount(id),
      })),
      ...closed.map((company) => ({
        name: fill(shellText.openWithSso, { name: company.display_name }),
        act: () => location.assign(ssoAddress(company)),
      })),
    ],
    themes.map((name) => ({
      name: shellText.themes[name],
      isChecked: name === theme,
      act: () => {
        setTheme(name);
        renew(); // the menu marks the theme
      },
    })),
    [
      { name: shellText.language, act: () => changeLanguage(shellText.otherLanguage) },
      { name: shellText.shortcuts, act: openShortcuts },
      { name: shellText.developers, act: () => void navigate({ to: '/developers' }) },
      { name: shellText.reference, act: () => location.assign('/docs') },
    ],
    [{ name: shellText.signOut, act: () => void signOut() }],
  ];
  return (
    <div className="shrink-0 lg:[&_[role=menu]]:bottom-full lg:[&_[role=menu]]:top-auto lg:[&_[role=menu]]:left-0">
      <Menu
        label={shellText.menu}
        groups={groups}
        className="flex min-h-11 min-w-11 items-center justify-center gap-2.5 rounded-lg px-2 py-1.5 text-left hover:bg-accent-wash lg:w-full lg:justify-start"
      >
        <Icon name="person" size={20} />
        <span className="grid min-w-0 max-lg:hidden">
          <span className="truncate text-sm leading-tight font-medium">
            <bdi>{person.email}</bdi>
          </span>
          <span className="text-xs text-soft">{shellText.roles[role]}</span>
        </span>
      </Menu>
    </div>
  );
}
