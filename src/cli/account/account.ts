import type { Command } from 'commander';
import { defineVerbs, type VerbGroup } from '../core/verb-groups.ts';

const groups: VerbGroup[] = [
  {
    verbs: ['create', 'list', 'show', 'set-plan', 'remove', 'restrict-types', 'add-credits'],
    load: async () => (await import('./account-companies.ts')).defineCompanies,
  },
  {
    verbs: ['branding'],
    load: async () => (await import('./account-branding.ts')).defineBranding,
  },
  {
    verbs: ['email-texts', 'preview-email', 'test-email'],
    load: async () => (await import('./account-emails.ts')).defineEmails,
  },
  {
    verbs: ['sending'],
    load: async () => (await import('./account-sending.ts')).defineSending,
  },
  {
    verbs: ['notices'],
    load: async () => (await import('./account-sending.ts')).defineNotices,
  },
  {
    verbs: ['erase'],
    load: async () => (await import('./account-erase.ts')).defineErase,
  },
  {
    verbs: ['restricted-papers'],
    load: async () => (await import('./account-restricted-papers.ts')).defineRestrictedPapers,
  },
  {
    verbs: ['requests'],
    load: async () => (await import('./account-requests.ts')).defineRequests,
  },
  {
    verbs: ['signing'],
    load: async () => (await import('./account-signing.ts')).defineSigning,
  },
  {
    verbs: ['embedding'],
    load: async () => (await import('./account-embedding.ts')).defineEmbedding,
  },
  {
    verbs: ['sso'],
    load: async () => (await import('./account-sso.ts')).defineSso,
  },
  {
    verbs: ['domain'],
    load: async () => (await import('./account-domain.ts')).defineDomain,
  },
  {
    verbs: ['audit'],
    load: async () => (await import('./account-audit.ts')).defineAudit,
  },
  {
    verbs: ['audit-stream'],
    load: async () => (await import('./account-audit-stream.ts')).defineAuditStream,
  },
  {
    verbs: ['messages'],
    load: async () => (await import('./account-messages.ts')).defineMessages,
  },
  {
    verbs: ['export', 'exports'],
    load: async () => (await import('./account-export.ts')).defineExport,
  },
];

/** Companies, and their settings. */
export const define = (noun: Command, verb: string | undefined) => defineVerbs(noun, verb, groups);
