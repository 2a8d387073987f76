// Settings that consist of several environment variables.

/** Where `/metrics` is served, when it has a port of its own. */
export interface MetricsSettings {
  host: string;
  port: number;
}

/** The PKCS#12 file or PEM certificate that seals. */
export interface SigningCertificateSettings {
  file: string;
  password: string;
}

/** The key that seals, where it isn't a file. */
export interface SigningKeySettings {
  /** `SIGNING_KEY`. */
  uri: string;
  /** `SIGNING_KEY_PIN`. */
  pin: string | null;
  /** The environment without the service's own secrets: hardware modules and cloud providers have variables of their own. */
  environment: Record<string, string | undefined>;
  aws: AwsSettings;
  /** `AZURE_CLIENT_SECRET`. */
  azureClientSecret: string | null;
}

export interface AwsSettings {
  accessKeyId: string | null;
  secretAccessKey: string | null;
  sessionToken: string | null;
  region: string | null;
}

export interface EsignSettings {
  /** Such as `https://account.docusign.com/oauth`, without a trailing slash. */
  oauthUrl: string;
  /** It is on this machine, and so may be what it tells us to call: development and tests only. */
  allowsLocal: boolean;
  /** Null: nobody can connect an account there. */
  client: { id: string; secret: string } | null;
}

export interface S3Settings extends AwsSettings {
  endpoint: string | null;
}

/** How many days data is kept. Null: until it is erased. */
export interface RetentionSettings {
  eventsDays: number | null;
  /** Settled deliveries with their attempts. At most `eventsDays`. */
  deliveriesDays: number | null;
  /** Settled messages of documents that nobody can sign any more. */
  messagesDays: number | null;
  /** Messages in the local mailbox. */
  mailboxDays: number | null;
  requestLogDays: number;
  /** After sessions, sign-in links and codes have expired. */
  sessionsDays: number;
  /** Files after the last row that referred to them is gone. */
  removedFilesDays: number;
}
