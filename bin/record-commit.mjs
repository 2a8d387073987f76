// Writes the commit of this clone into the file COMMIT, which packages and images carry for `countersign --version`. Outside
// of a clone an existing file stays.
import { spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';

const root = join(import.meta.dirname, '..');
const { status, stdout } = spawnSync('git', ['-C', root, 'rev-parse', 'HEAD'], { encoding: 'utf8' });
if (status === 0) writeFileSync(join(root, 'COMMIT'), stdout);
