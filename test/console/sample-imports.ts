import { finished, startMigration } from '../esign/migrate.ts';
import { connectCompany } from '../esign/vendor/connect-company.ts';
import { anEnvelope } from '../esign/vendor/envelope.ts';
import { startVendor, type Vendor } from '../esign/vendor/vendor.ts';
import { aPdf } from '../imports/a-pdf.ts';
import { startImport } from '../imports/import-service.ts';
import { type StoreDouble, startStoreDouble } from '../imports/store-double.ts';
import type { Company, TestService } from '../support/service.ts';

/** The sources of imports: a file store, and a vendor whose documents wait while `holds` is true. */
export interface ImportOrigins {
  store: StoreDouble;
  vendor: Vendor;
  env: Record<string, string>;
  /** Holds the vendor's documents until the returned function is called. */
  hold(): () => void;
  stop(): Promise<void>;
}

export async function startImportOrigins(): Promise<ImportOrigins> {
  const [store, vendor] = await Promise.all([startStoreDouble(), startVendor()]);
  return {
    store,
    vendor,
    env: { ...vendor.env, IMPORTS_ALLOW_PRIVATE: 'true', CLOUD_FILES_HOSTS: store.host },
    hold() {
      const { promise, resolve } = Promise.withResolvers<void>();
      vendor.api.onRequest = async ({ kind }) => {
        if (kind === 'document') await promise;
        return false;
      };
      return resolve;
    },
    async stop() {
      await Promise.all([store.stop(), vendor.stop()]);
    },
  };
}

export interface SampleImports {
  /** An import of links with different outcomes. */
  links: string;
  /** A complete import from the vendor. */
  migration: string;
}

/** Creates a connected company with an import of each kind. */
export async function createSampleImports(
  app: TestService,
  company: Company,
  { store, vendor }: ImportOrigins,
): Promise<SampleImports> {
  await connectCompany(app, company.id);
  await app.db.query({
    name: '',
    text: "update api_keys set name = 'Nightly import' where account_id = $1",
    values: [company.id],
  });
  for (const [index, subject] of [
    'Lease: 12 Harbour Street',
    'Roof repair',
    'Subcontract: electrical works',
  ].entries()) {
    const envelope = anEnvelope(index, { subject });
    vendor.api.envelopes.set(envelope.id, envelope);
  }
  const { body: started } = await startMigration(app, company);
  await finished(app, company, started.id);
  app.clock.advance({ hours: 26 });

  const rules = aPdf({ words: 'The garden is kept as it was handed over.' });
  const first = { url: store.share('House rules.pdf', rules) };
  await startImport(app, company, { source: 'cloud_files', files: [first], unlock_doc: false });
  app.clock.advance({ hours: 3 });
  const links = [
    store.share('House rules (copy).pdf', rules),
    store.share('Plans of the second floor, with the changes of March.pdf', aPdf({ words: 'Scale 1:50', pages: 3 })),
    store.share('Notes.txt', Buffer.from('Call the plumber.')),
    store.share('Estimate.pdf', Buffer.from('%PDF-1.4\nit ends here')),
    `${store.origin}/s/gone/Invoice.pdf`,
  ];
  const files = links.map((url) => ({ url }));
  const { body } = await startImport(app, company, { source: 'cloud_files', files });
  return { links: body.id, migration: started.id };
}
