/** The paths and names of LibreOffice's configuration. */
const settings: [path: string, name: string, value: string | number | boolean][] = [
  ['Office.Common/Security/Scripting', 'DisableMacrosExecution', true],
  // Very high: only macros from trusted places, of which there are none.
  ['Office.Common/Security/Scripting', 'MacroSecurityLevel', 3],
  // Loads no pictures and parts from other places.
  ['Office.Common/Security/Scripting', 'BlockUntrustedRefererLinks', true],
  // Never, for links and fields of documents.
  ['Office.Writer/Content/Update', 'Link', 0],
  ['Office.Java/VirtualMachine', 'Enable', false],
  ['Office.Recovery/RecoveryInfo', 'Enabled', false],
  ['Office.Recovery/AutoSave', 'Enabled', false],
];

const typeOf = (value: string | number | boolean) => (typeof value === 'number' ? 'xs:int' : 'xs:boolean');

const items = settings.map(
  ([path, name, value]) =>
    `<item oor:path="/org.openoffice.${path}"><prop oor:name="${name}" oor:op="fuse" oor:type="${typeOf(value)}">` +
    `<value>${value}</value></prop></item>`,
);

/** registrymodifications.xcu of the empty profile that each conversion begins with. */
export const profileSettings = `<?xml version="1.0" encoding="UTF-8"?>
<oor:items xmlns:oor="http://openoffice.org/2001/registry" xmlns:xs="http://www.w3.org/2001/XMLSchema"
 xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance">${items.join('')}</oor:items>
`;
