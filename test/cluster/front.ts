import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { freePort } from '../support/free-port.ts';
import { describeProgram, type Program } from './program.ts';

/** nginx in front of several web processes, without sticky sessions. */
export async function startFront(
  directory: string,
  webPorts: readonly string[],
): Promise<{ nginx: Program; origin: string }> {
  const port = await freePort();
  const file = join(directory, 'nginx.conf');
  writeFileSync(
    file,
    `pid nginx.pid;
error_log stderr;
daemon off;
master_process off;
events {}
http {
  access_log off;
  client_body_temp_path body;
  proxy_temp_path proxy;
  fastcgi_temp_path fastcgi;
  uwsgi_temp_path uwsgi;
  scgi_temp_path scgi;
  upstream countersign {
    zone countersign 64k;
${webPorts.map((web) => `    server 127.0.0.1:${web} max_fails=1 fail_timeout=1s;`).join('\n')}
    keepalive 32;
  }
  server {
    listen 127.0.0.1:${port};
    location / {
      proxy_pass http://countersign;
      proxy_http_version 1.1;
      proxy_set_header Connection "";
      proxy_set_header Host $http_host;
      proxy_set_header X-Forwarded-For $remote_addr;
      proxy_connect_timeout 2s;
      # A process that ended in the middle of a request, or none that answers.
      error_page 502 504 =503 @retry;
    }
    location @retry {
      add_header Retry-After 2 always;
      return 503;
    }
  }
}
`,
  );
  const nginx = describeProgram('nginx', directory, ['nginx', '-p', directory, '-c', file]);
  nginx.start();
  return { nginx, origin: `http://127.0.0.1:${port}` };
}
