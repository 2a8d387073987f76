import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useList } from '../api/list.ts';
import { isAtLeast, useMe } from '../api/me.ts';
import { fill } from '../language.ts';
import { Button } from '../ui/button.tsx';
import { MoreMenu } from '../ui/menu.tsx';
import { MoreButton } from '../ui/more-button.tsx';
import { Problem } from '../ui/problem.tsx';
import { Badge } from '../ui/status-badge.tsx';
import { uiText } from '../ui/texts.ts';
import { Time } from '../ui/time.tsx';
import { InviteAgainDialog, InviteDialog, type Member, RemoveMemberDialog, RoleDialog } from './member-dialogs.tsx';
import { membersText } from './members-texts.ts';
import { ActionCell, Cell, Row, Rows } from './rows.tsx';
import { TabHead } from './tab-head.tsx';
import { settingsText } from './texts.ts';

type Open = { kind: 'invite' } | { kind: 'again' | 'role' | 'remove'; member: Member };

export function MembersPage() {
  const [open, setOpen] = useState<Open | null>(null);
  const [said, setSaid] = useState('');
  const { role } = useMe();
  const mayChange = isAtLeast(role, 'admin');
  const list = useList(['members'], '/members');
  const { items, isPending, error } = list;
  const queryClient = useQueryClient();
  const onDone = async (sentence: string) => {
    setSaid(sentence);
    await queryClient.invalidateQueries({ queryKey: ['members'] });
  };
  const onClose = () => setOpen(null);
  return (
    <>
      <TabHead
        action={
          mayChange && (
            <Button kind="primary" onClick={() => setOpen({ kind: 'invite' })}>
              {membersText.invite}
            </Button>
          )
        }
      >
        {membersText.intro}
      </TabHead>
      <p role="status" className="mb-2 font-medium text-good empty:absolute">
        {said}
      </p>
      <Problem of={error} />
      {isPending && <p className="text-soft">{uiText.loading}</p>}
      {items.length > 0 && <MemberRows members={items} mayChange={mayChange} onAct={setOpen} />}
      <MoreButton list={list} />
      {open?.kind === 'invite' && <InviteDialog onClose={onClose} onDone={onDone} />}
      {open?.kind === 'again' && <InviteAgainDialog member={open.member} onClose={onClose} onDone={onDone} />}
      {open?.kind === 'role' && <RoleDialog member={open.member} onClose={onClose} onDone={onDone} />}
      {open?.kind === 'remove' && <RemoveMemberDialog member={open.member} onClose={onClose} onDone={onDone} />}
    </>
  );
}

interface MemberRowsProps {
  members: readonly Member[];
  mayChange: boolean;
  onAct: (open: Open) => void;
}

function MemberRows({ members, mayChange, onAct }: MemberRowsProps) {
  const { role: ownRole } = useMe();
  const { columns } = membersText;
  const heads = [columns.email, columns.role, columns.since, ...(mayChange ? [settingsText.actions] : [])];
  return (
    <Rows caption={membersText.list} columns={heads}>
      {members.map((member) => (
        <Row key={member.id}>
          <Cell className="font-semibold max-md:pr-14">
            <bdi>{member.email}</bdi>
            {member.is_you && <span className="font-normal text-soft"> ({membersText.you})</span>}
          </Cell>
          <Cell label={columns.role}>
            <Badge tone={member.role === 'member' ? 'neutral' : 'active'}>{membersText.roles[member.role]}</Badge>
          </Cell>
          <Cell label={columns.since} className="text-sm whitespace-nowrap text-soft">
            <Time at={member.created_at} />
          </Cell>
          {mayChange && (
            <ActionCell>
              {(member.role !== 'owner' || ownRole === 'owner') && (
                <MoreMenu
                  label={fill(membersText.menu, { email: member.email })}
                  groups={[
                    [
                      { name: membersText.changeRole, act: () => onAct({ kind: 'role', member }) },
                      { name: membersText.again, act: () => onAct({ kind: 'again', member }) },
                    ],
                    [{ name: membersText.remove, act: () => onAct({ kind: 'remove', member }) }],
                  ]}
                />
              )}
            </ActionCell>
          )}
        </Row>
      ))}
    </Rows>
  );
}
