import type { Command } from 'commander';
import { defineVerbs, type VerbGroup } from '../core/verb-groups.ts';

const groups: VerbGroup[] = [
  {
    verbs: ['list'],
    load: async () => (await import('./document-list.ts')).defineList,
  },
  {
    verbs: ['create'],
    load: async () => (await import('./document-create.ts')).defineCreate,
  },
  {
    verbs: [
      'show',
      'void',
      'review',
      'return',
      'cancel-schedule',
      'template',
      'restrict',
      'lift-restriction',
      'copy',
      'mirror',
    ],
    load: async () => (await import('./document-actions.ts')).defineActions,
  },
  {
    verbs: ['move'],
    load: async () => (await import('./document-move.ts')).defineMove,
  },
  {
    verbs: ['attach'],
    load: async () => (await import('./document-attach.ts')).defineAttach,
  },
  {
    verbs: ['edit'],
    load: async () => (await import('./document-edit.ts')).defineEdit,
  },
  {
    verbs: ['fields'],
    load: async () => (await import('./document-fields.ts')).defineFields,
  },
  {
    verbs: ['form-fields'],
    load: async () => (await import('./document-form-fields.ts')).defineFormFields,
  },
  {
    verbs: ['sending'],
    load: async () => (await import('./document-sending.ts')).defineSending,
  },
  {
    verbs: ['send'],
    load: async () => (await import('./document-send.ts')).defineSend,
  },
  {
    verbs: ['unlock'],
    load: async () => (await import('./document-unlock.ts')).defineUnlock,
  },
  {
    verbs: ['remind'],
    load: async () => (await import('./document-send.ts')).defineRemind,
  },
  {
    verbs: ['seal'],
    load: async () => (await import('./document-seal.ts')).defineSeal,
  },
  {
    verbs: ['renew'],
    load: async () => (await import('./document-renew.ts')).defineRenew,
  },
  {
    verbs: ['reassign'],
    load: async () => (await import('./document-send.ts')).defineReassign,
  },
  {
    verbs: ['links'],
    load: async () => (await import('./document-links.ts')).defineLinks,
  },
  {
    verbs: ['audit'],
    load: async () => (await import('./document-audit.ts')).defineAudit,
  },
  {
    verbs: ['download'],
    load: async () => (await import('./document-download.ts')).defineDownload,
  },
  {
    verbs: ['certificate'],
    load: async () => (await import('./document-certificate.ts')).defineCertificate,
  },
];

/** Documents, from the draft to the sealed PDF. */
export const define = (noun: Command, verb: string | undefined) => defineVerbs(noun, verb, groups);
