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

/** Returns the file that remembers an event. Use your database instead: an event can arrive more than once. */
function file_of(string $id): string
{
    $folder = sys_get_temp_dir() . '/countersign-events';
    if (!is_dir($folder) && !mkdir($folder, 0700, true) && !is_dir($folder)) {
        throw new RuntimeException("$folder cannot be made");
    }
    return "$folder/" . hash('sha256', $id);
}

// The answer is 500 until the event is handled, also after a fatal error. The delivery is then retried.
ob_start();
http_response_code(500);

$secret = getenv('WEBHOOK_SECRET') ?: '';
if ($secret === '') {
    error_log('Set WEBHOOK_SECRET to the signing secret of the endpoint.');
    exit;
}
$body = file_get_contents('php://input');
if (!is_signed($_SERVER['HTTP_X_SERVICE_SIGNATURE'] ?? '', $body, $secret)) {
    http_response_code(400);
    exit;
}
$event = json_decode($body, true, 512, JSON_THROW_ON_ERROR);
// Answer within 10 seconds. Do slow work afterwards, in a queue of your own.
$file = file_of($event['id']);
if (!file_exists($file)) {
    handle($event);
    // Only now, so that an event that failed is handled when it is delivered again.
    if (!touch($file)) {
        throw new RuntimeException("$file cannot be written");
    }
}
http_response_code(204);
