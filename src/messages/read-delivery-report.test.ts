import { expect, test } from 'vitest';
import { exchangeReport, gmailReport, postfixReport } from '../../test/cli/delivery-reports.ts';
import { readDeliveryReport, reportBytesMax, UnreadableReport } from './read-delivery-report.ts';

const messageId = '019cd7a7-98b8-7759-b00e-55c151208c61@acme.example';
const id = `<${messageId}>`;
const read = (text: string) => readDeliveryReport(Buffer.from(text));
const refused = (text: string) => {
  try {
    return `read: ${JSON.stringify(read(text))}`;
  } catch (error) {
    if (!(error instanceof UnreadableReport)) throw error;
    return error.message;
  }
};

test('reports of Postfix, Exchange and Gmail are read', () => {
  expect(read(postfixReport(id))).toEqual({
    messageId,
    outcome: 'bounced',
    reason: '550 5.1.1 <ada@example.com>: Recipient address rejected: User unknown in virtual mailbox table',
  });
  expect(read(postfixReport(id, 'delayed'))).toEqual({
    messageId,
    outcome: 'delayed',
    reason: '4.4.1 connect to mx.example.com[192.0.2.7]:25: Connection timed out',
  });
  expect(read(exchangeReport(id))).toMatchObject({
    messageId,
    outcome: 'bounced',
    reason: expect.stringMatching(/^554 5\.2\.2 mailbox full; STOREDRV/),
  });
  expect(read(gmailReport(id))).toMatchObject({
    messageId,
    outcome: 'bounced',
    reason: expect.stringMatching(/^550-5\.1\.1 The email account/),
  });
  const withoutHeaders = gmailReport(id).replace(
    /Content-Type: text\/rfc822-headers[^-]+/,
    'Content-Type: text/plain\n\n',
  );
  expect(read(withoutHeaders).messageId).toBe(messageId);
});

test('encoded parts are read, and a report without a reply has its status', () => {
  const [, fields = ''] = /message\/delivery-status\n\n([\s\S]+?)\n\n--/.exec(postfixReport(id)) ?? [];
  const encoded = (encoding: string, body: string) =>
    postfixReport(id).replace(
      `message/delivery-status\n\n${fields}`,
      `message/delivery-status\nContent-Transfer-Encoding: ${encoding}\n\n${body}`,
    );
  expect(read(encoded('base64', Buffer.from(fields).toString('base64')))).toEqual(read(postfixReport(id)));
  const quoted = fields.replaceAll('Action: failed', 'Action:=20fai=\nled');
  expect(read(encoded('quoted-printable', quoted))).toEqual(read(postfixReport(id)));
  const bare = postfixReport(id).replace(/Diagnostic-Code: [\s\S]+?\n\n/, '\n');
  expect(read(bare)).toMatchObject({ outcome: 'bounced', reason: '5.1.1' });
  expect(read(bare.replace('Status: 5.1.1\n', ''))).toMatchObject({ reason: null });
});

test('a report about several recipients is a bounce if one of them failed', () => {
  const two = postfixReport(id, 'delayed').replace(
    '\n--4B2D19A7C0.1773144012/mail.acme.example\nContent-Description: Undelivered',
    '\nFinal-Recipient: rfc822; b@example.com\nAction: Failed\nStatus: 5.0.0\n\n--4B2D19A7C0.1773144012/mail.acme.example\nContent-Description: Undelivered',
  );
  expect(read(two)).toMatchObject({ outcome: 'bounced', reason: '5.0.0' });
});

test('other e-mails and malformed reports are refused with what is wrong', () => {
  const report = postfixReport(id);
  expect(refused('')).toBe('the e-mail is empty');
  expect(refused('x'.repeat(reportBytesMax + 1))).toBe('the e-mail is larger than 2 MiB');
  const notReport = 'this e-mail is not a delivery report (multipart/report)';
  expect(refused('From: ada@example.com\nSubject: Out of office\n\nI am away.')).toBe(notReport);
  expect(refused('\0\u0001\uFFFD')).toBe(notReport);
  expect(refused(report.replace('report-type=delivery-status', 'report-type=disposition-notification'))).toBe(
    notReport,
  );
  expect(refused(report.replace(/boundary="[^"]+"/, 'boundary=""'))).toBe('the report has no boundary');
  const noStatus = 'the report has no message/delivery-status part';
  expect(refused(report.replace(/boundary="[^"]+"/, 'boundary=other'))).toBe(noStatus);
  expect(refused(report.replace('message/delivery-status', 'text/plain'))).toBe(noStatus);
  const noFailure = 'the report tells of no failure and no delay';
  for (const action of ['delivered', 'relayed', 'expanded', '', 'failed, or not']) {
    expect(refused(report.replace('Action: failed', `Action: ${action}`))).toBe(noFailure);
  }
  const noId = 'the report does not name the Message-ID of the returned message';
  for (const bad of ['', 'none', '<>', '<a b@c>', `${id} ${id}`, `${id}<x@y>`]) {
    expect(refused(postfixReport(bad)), bad).toBe(noId);
  }
  expect(refused(report.replace('message/rfc822', 'text/plain'))).toBe(noId);
});

test('hostile reports end soon', () => {
  const report = postfixReport(id);
  const long = (text: string) => text.repeat(Math.floor((reportBytesMax - 4000) / text.length));
  const began = performance.now();
  for (const filler of [' ', '=', '= ', '\n', '\t\n', ';a="', 'a=\\', '--', 'x', 'a:\n b', '\r', '=0A']) {
    refused(report.replace('Status: 5.1.1', `Status: ${long(filler)}`));
    refused(`Content-Type: multipart/report; report-type=delivery-status; boundary=${long(filler)}`);
    refused(`Content-Type: multipart/report${long(filler)}`);
    refused(report.replace('8bit\n\n', `quoted-printable\n\n${long(filler)}`));
  }
  expect(performance.now() - began).toBeLessThan(20_000);
});
