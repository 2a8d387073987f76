/** What the pages of signing in say, and what their script may have to. */
export const english = {
  tagline: 'Documents, sent for signature and sealed.',
  signIn: 'Sign in',
  email: 'E-mail address',
  password: 'Password',
  sendLink: 'E-mail me a link',
  sendLinkHint: 'No password, or forgotten? A link by e-mail signs you in, too.',
  usePasskey: 'Use a passkey',
  scriptNeeded: 'Signing in needs JavaScript. Switch it on in your browser and reload the page.',
  consoleScriptNeeded: 'The console needs JavaScript. Switch it on in your browser and reload the page.',

  askedToSign: 'Signing a document?',
  askedToSignText:
    'Open the link in the message you received. It leads to your document, and it is yours alone: you need no account.',
  programs: 'Building an integration?',
  programsText:
    'The reference says how to create a document, send it and follow it, beginning with a first request to paste.',
  reference: 'API reference',
  description: 'OpenAPI description',
  verifyPdf: 'Was a PDF sealed here?',
  verifyText: 'Drop a completed PDF, and see whether this service sealed it and whether it was altered.',
  verifyLink: 'Verify a PDF',
  operator: 'Do you run this server?',
  operatorText:
    'No mail server is set, so messages stay in the local mailbox. Only this machine can see it. The first start printed a link to sign in; this prints another:',
  mailbox: 'Local mailbox',

  secondFactor: 'One more step',
  secondFactorText: 'Enter the code that your authenticator shows.',
  code: 'Code',
  codeHint: 'Six digits, or one of your recovery codes.',
  confirm: 'Confirm',
  startAgain: 'Use another account',

  sentTitle: 'Check your mail',
  sentText:
    'If this address belongs to a member, a link to sign in is on its way. It works once, within 10 minutes, on any device.',
  sentSteps: [
    'It can take a minute to arrive. Check your spam folder too.',
    'Nothing arrives? The address may not be a member here: ask an owner or admin of your company to invite you.',
  ],
  back: 'Back to signing in',

  linkTitle: 'Sign in to Countersign',
  linkText: 'You are about to sign in as',
  linkToDocument: 'After that you see the document that you were asked to sign.',
  continue: 'Continue',
  spentTitle: 'This link no longer works',
  spentText: 'Each link signs in once, and only for a while. Ask for a new one: it takes a minute.',
  spentSigning: 'Signing a document? Open the link in the message about it once more, and ask for a new link there.',

  signedInAs: 'Signed in as',
  noCompany: 'You are not a member of a company here. To sign a document, open the link in the message about it.',
  signOut: 'Sign out',

  errorTitle: 'This page cannot be shown right now',
  errorText: 'The service cannot be reached at the moment. Please try again in a minute.',

  script: {
    working: 'One moment…',
    emailMissing: 'Enter your e-mail address.',
    passwordMissing: 'Enter your password, or have a link sent to you.',
    codeMissing: 'Enter the code.',
    wrong_credentials: 'The e-mail address or the password is wrong.',
    wrong_code: 'This code is wrong or was already used. Wait for the next one.',
    wrong_passkey: 'This passkey was not accepted.',
    passkeyCancelled: 'No passkey was used.',
    invalid_input: 'Enter a valid e-mail address.',
    link_spent: 'This link has expired or was already used.',
    not_signed_in: 'This took too long. Please sign in again from the beginning.',
    /** Holds `{when}`. */
    too_many_tries: 'Too many tries. You can try again {when}.',
    tooManyHint: 'A link by e-mail may still let you in.',
    failed: 'Something went wrong. Please try again.',
    unreachable: 'The connection failed. Check it and try again.',
  },
};

export type Texts = typeof english;
