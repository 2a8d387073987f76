/** Texts of the sign-in pages and their script. */
export const english = {
  tagline: 'Documents, sent for signature and sealed.',
  signIn: 'Sign in',
  email: 'E-mail address',
  password: 'Password',
  sendLink: 'E-mail me a link',
  sendLinkHint: 'No password, or forgot it? Sign in with a link by e-mail.',
  usePasskey: 'Use a passkey',
  scriptNeeded: 'Signing in needs JavaScript. Enable it in your browser and reload the page.',
  consoleScriptNeeded: 'The console needs JavaScript. Enable it in your browser and reload the page.',

  askedToSign: 'Signing a document?',
  askedToSignText: 'Open the link in the message you received. It leads to your document. You don’t need an account.',
  programs: 'Building an integration?',
  programsText: 'The reference shows how to create, send and track a document. It starts with a first request to copy.',
  reference: 'API reference',
  description: 'OpenAPI description',
  verifyPdf: 'Was a PDF sealed here?',
  verifyText: 'Upload a completed PDF to check that this service sealed it and that it hasn’t changed.',
  verifyLink: 'Verify a PDF',
  operator: 'Do you run this server?',
  operatorText:
    'No mail server is set, so messages stay in the local mailbox. Only this machine can see it. The first start printed a sign-in link. To print another one:',
  mailbox: 'Local mailbox',

  secondFactor: 'One more step',
  secondFactorText: 'Enter the code from your authenticator app.',
  code: 'Code',
  codeHint: 'Six digits, or one of your recovery codes.',
  confirm: 'Confirm',
  startAgain: 'Use another account',

  sentTitle: 'Check your mail',
  sentText:
    'If this address belongs to a member, we’ve sent a sign-in link. It works once, within 10 minutes, on any device.',
  sentSteps: [
    'It can take a minute to arrive. Check your spam folder too.',
    'Nothing arrived? The address may not belong to a member. Ask an owner or admin of your company to invite you.',
  ],
  back: 'Back to signing in',

  linkTitle: 'Sign in to Countersign',
  linkText: 'You are about to sign in as',
  linkToDocument: 'Then you’ll see the document to sign.',
  continue: 'Continue',
  spentTitle: 'This link no longer works',
  spentText: 'Each link works once and only for a short time. Request a new one.',
  spentSigning: 'Signing a document? Open the link in its message again and request a new link there.',

  signedInAs: 'Signed in as',
  noCompany: 'You aren’t a member of a company here. To sign a document, open the link in its message.',
  signOut: 'Sign out',

  errorTitle: 'We can’t show this page right now',
  errorText: 'The service isn’t available. Try again in a minute.',

  script: {
    working: 'One moment…',
    emailMissing: 'Enter your e-mail address.',
    passwordMissing: 'Enter your password, or get a link by e-mail.',
    codeMissing: 'Enter the code.',
    wrong_credentials: 'The e-mail address or the password is wrong.',
    wrong_code: 'This code is wrong or was already used. Wait for the next one.',
    wrong_passkey: 'This passkey was not accepted.',
    passkeyCancelled: 'No passkey was used.',
    invalid_input: 'Enter a valid e-mail address.',
    link_spent: 'This link has expired or was already used.',
    not_signed_in: 'This took too long. Start again.',
    /** `{when}` is the remaining time. */
    too_many_tries: 'Too many tries. You can try again {when}.',
    tooManyHint: 'A link by e-mail may still let you in.',
    failed: 'Something went wrong. Please try again.',
    unreachable: 'The connection failed. Check it and try again.',
  },
};

export type Texts = typeof english;
