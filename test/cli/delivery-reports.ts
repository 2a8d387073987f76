/**
 * Delivery reports as mail servers write them: in the shape that their public documentation shows, with addresses of our own.
 * `id` is the Message-ID of the message that came back.
 */

/** Postfix, as bounce(5) and bounce(8) describe its reports. */
export const postfixReport = (id: string, action: 'failed' | 'delayed' = 'failed') => `Return-Path: <>
Received: by mail.acme.example (Postfix)
	id 5F2B2C0D31; Tue, 10 Mar 2026 12:00:12 +0000 (UTC)
Date: Tue, 10 Mar 2026 12:00:12 +0000 (UTC)
From: MAILER-DAEMON@mail.acme.example (Mail Delivery System)
Subject: ${action === 'failed' ? 'Undelivered Mail Returned to Sender' : 'Delayed Mail (still being retried)'}
To: no-reply@acme.example
Auto-Submitted: auto-replied
MIME-Version: 1.0
Content-Type: multipart/report; report-type=delivery-status;
	boundary="4B2D19A7C0.1773144012/mail.acme.example"
Message-Id: <20260310120012.5F2B2C0D31@mail.acme.example>

This is a MIME-encapsulated message.

--4B2D19A7C0.1773144012/mail.acme.example
Content-Description: Notification
Content-Type: text/plain; charset=us-ascii

This is the mail system at host mail.acme.example.

I'm sorry to have to inform you that your message could not
be delivered to one or more recipients. It's attached below.

--4B2D19A7C0.1773144012/mail.acme.example
Content-Description: Delivery report
Content-Type: message/delivery-status

Reporting-MTA: dns; mail.acme.example
X-Postfix-Queue-ID: 4B2D19A7C0
X-Postfix-Sender: rfc822; no-reply@acme.example
Arrival-Date: Tue, 10 Mar 2026 12:00:10 +0000 (UTC)

Final-Recipient: rfc822; ada@example.com
Original-Recipient: rfc822;ada@example.com
Action: ${action}
Status: ${action === 'failed' ? '5.1.1' : '4.4.1'}
Remote-MTA: dns; mx.example.com
Diagnostic-Code: ${
  action === 'failed'
    ? `smtp; 550 5.1.1 <ada@example.com>: Recipient address rejected: User
    unknown in virtual mailbox table`
    : 'X-Postfix; connect to mx.example.com[192.0.2.7]:25: Connection timed out'
}

--4B2D19A7C0.1773144012/mail.acme.example
Content-Description: Undelivered Message
Content-Type: message/rfc822
Content-Transfer-Encoding: 8bit

Return-Path: <no-reply@acme.example>
From: Acme <no-reply@acme.example>
To: Ada Lovelace <ada@example.com>
Subject: Acme requests your signature
Message-ID: ${id}
Date: Tue, 10 Mar 2026 12:00:10 +0000
MIME-Version: 1.0
Content-Type: text/plain; charset=utf-8

Hello Ada Lovelace,

--4B2D19A7C0.1773144012/mail.acme.example--
`;

/** Exchange Online: fields in the order of its non-delivery reports, the returned message without its text, CRLF. */
export const exchangeReport = (id: string) =>
  `From: <postmaster@contoso.example>
To: <no-reply@acme.example>
Date: Tue, 10 Mar 2026 12:00:14 +0000
Content-Type: multipart/report; report-type=delivery-status;
	boundary="0f7b5d8e-2f6c-4d0a-9a2c-5a6c2f1f8e77"
X-MS-Exchange-Message-Is-Ndr:
Content-Language: en-US
Message-ID: <c9f2d1a7-7f4e-4b6e-8c5a-5d0f5f7f3c11@contoso.example>
In-Reply-To: ${id}
References: ${id}
Subject: Undeliverable: Acme requests your signature
Auto-Submitted: auto-replied
MIME-Version: 1.0

--0f7b5d8e-2f6c-4d0a-9a2c-5a6c2f1f8e77
Content-Type: multipart/alternative; differences=Content-Type;
	boundary="5a0b7b3c-9c1e-4f6d-8a53-7c7f3d1a2b44"

--5a0b7b3c-9c1e-4f6d-8a53-7c7f3d1a2b44
Content-Type: text/plain; charset="us-ascii"
Content-Transfer-Encoding: quoted-printable

Delivery has failed to these recipients or groups:

ada@contoso.example
The recipient's mailbox is full and can't accept messages now.

--5a0b7b3c-9c1e-4f6d-8a53-7c7f3d1a2b44--

--0f7b5d8e-2f6c-4d0a-9a2c-5a6c2f1f8e77
Content-Type: message/delivery-status

Reporting-MTA: dns;MW2PR12MB2379.namprd12.prod.contoso.example
Received-From-MTA: dns;mail.acme.example
Arrival-Date: Tue, 10 Mar 2026 12:00:11 +0000

Final-Recipient: rfc822;ada@contoso.example
Action: failed
Status: 5.2.2
Diagnostic-Code: smtp;554 5.2.2 mailbox full; STOREDRV.Deliver.Exception:QuotaExceededException.MapiExceptionShutoffQuotaExceeded

--0f7b5d8e-2f6c-4d0a-9a2c-5a6c2f1f8e77
Content-Type: message/rfc822

Received: from mail.acme.example (192.0.2.1) by MW2PR12MB2379.namprd12.prod.contoso.example
 with Microsoft SMTP Server; Tue, 10 Mar 2026 12:00:11 +0000
From: Acme <no-reply@acme.example>
To: Ada Lovelace <ada@contoso.example>
Subject: Acme requests your signature
Message-ID:
	${id}
Date: Tue, 10 Mar 2026 12:00:10 +0000
MIME-Version: 1.0
Content-Type: text/plain

--0f7b5d8e-2f6c-4d0a-9a2c-5a6c2f1f8e77--
`.replaceAll('\n', '\r\n');

/** Gmail: text and picture in a multipart/related, the status fields, and the headers of the returned message. */
export const gmailReport = (id: string) => `Return-Path: <>
From: Mail Delivery Subsystem <mailer-daemon@googlemail.com>
To: no-reply@acme.example
Auto-Submitted: auto-replied
Subject: Delivery Status Notification (Failure)
References: ${id}
In-Reply-To: ${id}
X-Failed-Recipients: ada@gmail.example
Message-ID: <65ee0b0a.050a0220.1b3c8.4f3a.GMR@mx.google.com>
Date: Tue, 10 Mar 2026 05:00:13 -0700 (PDT)
MIME-Version: 1.0
Content-Type: multipart/report; boundary="00000000000016c5f106134f8a39"; report-type=delivery-status

--00000000000016c5f106134f8a39
Content-Type: multipart/related; boundary="00000000000016d4b206134f8a3c"

--00000000000016d4b206134f8a3c
Content-Type: text/plain; charset="UTF-8"

** Address not found **

Your message wasn't delivered to ada@gmail.example because the address couldn't be found.

--00000000000016d4b206134f8a3c--
--00000000000016c5f106134f8a39
Content-Type: message/delivery-status

Reporting-MTA: dns; googlemail.com
Received-From-MTA: dns; no-reply@acme.example
Arrival-Date: Tue, 10 Mar 2026 05:00:12 -0700 (PDT)
X-Original-Message-ID: ${id}

Final-Recipient: rfc822; ada@gmail.example
Action: failed
Status: 5.1.1
Remote-MTA: dns; gmail-smtp-in.l.google.com. (192.0.2.27, the server for the domain gmail.example.)
Diagnostic-Code: smtp; 550-5.1.1 The email account that you tried to reach does not exist. Please try
 550-5.1.1 double-checking the recipient's email address for typos. For more information, go to
 550 5.1.1 https://support.google.com/mail/?p=NoSuchUser d9443c01a7336-1dd0b6a3a1bsi1234567plb.1 - gsmtp
Last-Attempt-Date: Tue, 10 Mar 2026 05:00:13 -0700 (PDT)

--00000000000016c5f106134f8a39
Content-Type: text/rfc822-headers

From: Acme <no-reply@acme.example>
To: Ada Lovelace <ada@gmail.example>
Subject: Acme requests your signature
Message-ID: ${id}

--00000000000016c5f106134f8a39--
`;
