import { existsSync } from 'node:fs';
import { type Part, whyMissing } from '@customer-database/testkit/debian-package';
import { MissingError } from './findings.ts';

export function requireParts(...parts: Part[]): void {
  const missing = whyMissing(...parts);
  if (missing) throw new MissingError(missing);
}

const partOf = (name: string, program: string, inPackage: string): Part => ({
  name,
  package: inPackage,
  isInstalled: () => existsSync(`/usr/bin/${program}`),
});

export const patroniParts = [partOf('Patroni', 'patroni', 'patroni'), partOf('etcd', 'etcd', 'etcd-server')];

export const cephParts = [
  partOf("Ceph's monitor", 'ceph-mon', 'ceph-mon'),
  partOf("Ceph's manager", 'ceph-mgr', 'ceph-mgr'),
  partOf("Ceph's OSD", 'ceph-osd', 'ceph-osd'),
  partOf("Ceph's S3 gateway", 'radosgw', 'radosgw'),
  partOf("Ceph's command line", 'ceph', 'ceph-common'),
];
