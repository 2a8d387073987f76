<?php
// Receives webhooks of Countersign. Needs PHP 8.1 or newer and no package:
//   WEBHOOK_SECRET=whsec_… php -S 127.0.0.1:8080 receiver.php
declare(strict_types=1);

const TOLERANCE_SECONDS = 300;

function handle(array $event): void
{
    error_log($event['event'] . ' ' . $event['data']['document']['id']);
    // document.completed: get the sealed PDF with GET /api/v1/documents/{id}/download
}

/** Checks the exact bytes that arrived, in constant time. There is one v1 for each valid secret. */
function is_signed(string $header, string $body, string $secret): bool
{
    $sentAt = '';
    $signatures = [];
    foreach (explode(',', $header) as $part) {
        [$name, $value] = explode('=', $part, 2) + ['', ''];
        if ($name === 't') {
            $sentAt = $value;
        }
        if ($name === 'v1') {
            $signatures[] = $value;
        }
    }
    if (!ctype_digit($sentAt) || abs(time() - (int) $sentAt) > TOLERANCE_SECONDS) {
        return false;
    }
    $expected = hash_hmac('sha256', "$sentAt.$body", $secret);
    foreach ($signatures as $signature) {
        if (hash_equals($expected, $signature)) {
            return true;
        }
    }
    return false;
}

/** Remembers an event. Use a table with a unique column in your database: an event can arrive more than once. */
function is_new(string $id): bool
{
    $folder = sys_get_temp_dir() . '/countersign-events';
    if (!is_dir($folder)) {
        @mkdir($folder, 0700, true);
    }
    $file = @fopen("$folder/" . hash('sha256', $id), 'x');
    return $file !== false && fclose($file);
}

$secret = getenv('WEBHOOK_SECRET') ?: '';
if ($secret === '') {
    error_log('Set WEBHOOK_SECRET to the signing secret of the endpoint.');
    http_response_code(500);
    exit;
}
$body = file_get_contents('php://input');
if (!is_signed($_SERVER['HTTP_X_SERVICE_SIGNATURE'] ?? '', $body, $secret)) {
    http_response_code(400);
    exit;
}
$event = json_decode($body, true, 512, JSON_THROW_ON_ERROR);
// Answer within 10 seconds. Do slow work afterwards, in a queue of your own.
if (is_new($event['id'])) {
    handle($event);
}
http_response_code(204);
