import { readLogo } from '../branding/logo.ts';
import type { Tx } from '../postgres/database.ts';
import { columnsOf, type ExportedTableName } from './exported-tables.ts';
import { exportedRow } from './read-rows.ts';

/** Reads the settings of a company, without passwords, tokens and other secrets. */
export async function readSettings(tx: Tx, accountId: string): Promise<Record<string, unknown>> {
  const rows = async (table: ExportedTableName, order: string) => {
    const found = await tx.query<object>({
      name: `export_${table}`,
      text: `select ${columnsOf(table)} from ${table} t where t.account_id = $1 order by ${order}`,
      values: [accountId],
    });
    return found.map((row) => exportedRow(row));
  };
  const [company] = await tx.query<object>({
    name: 'export_account',
    text: `select ${columnsOf('accounts')} from accounts t where t.id = $1`,
    values: [accountId],
  });
  const one = async (table: ExportedTableName) => (await rows(table, 't.account_id'))[0] ?? null;
  return {
    company: exportedRow(company ?? {}),
    branding: { settings: await one('brands'), texts: await rows('brand_texts', 't.kind, t.language') },
    single_sign_on: {
      provider: await one('sso_connections'),
      roles: await rows('sso_roles', 't.value'),
      domains: await rows('sso_domains', 't.domain'),
    },
    custom_domain: await one('custom_domains'),
    audit_stream: await one('audit_streams'),
    vendor_connection: await one('esign_connections'),
  };
}

/** Reads the logo with its path in the archive. Null without one. */
export async function readLogoFile(tx: Tx, accountId: string): Promise<{ path: string; bytes: Buffer } | null> {
  const logo = await readLogo(tx, accountId);
  return logo && { path: `branding/logo.${logo.type === 'jpeg' ? 'jpg' : 'png'}`, bytes: logo.bytes };
}
