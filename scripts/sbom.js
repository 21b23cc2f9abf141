// npm run sbom            writes sbom.json: every package of package-lock.json, as CycloneDX
// npm run sbom -- FILE    writes there instead; - is standard output
import { spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { findNpm, giveUp, root } from './install.js';

const { program, firstArgs } = findNpm();
// From the lockfile only, so that the result is the same on every machine.
const args = [...firstArgs, 'sbom', '--sbom-format=cyclonedx', '--package-lock-only', '--loglevel=error'];
const npm = spawnSync(program, args, { cwd: root, encoding: 'utf8', maxBuffer: 64 * 1024 * 1024 });
if (npm.status !== 0) {
  giveUp(`npm could not list the packages: ${npm.stderr || npm.error?.message || 'it was ended'}`);
}

const bom = JSON.parse(npm.stdout);
// npm writes the name of the folder, which differs between machines.
bom.metadata.component.name = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')).name;

const [target = 'sbom.json'] = process.argv.slice(2);
const text = `${JSON.stringify(bom, undefined, 2)}\n`;
if (target === '-') process.stdout.write(text);
else {
  writeFileSync(resolve(process.env.INIT_CWD ?? '.', target), text);
  console.error(`${bom.components.length} packages are listed in ${target}.`);
}
