import {
  createHash,
  createPrivateKey,
  createPublicKey,
  generateKeyPairSync,
  type KeyObject,
  randomBytes,
  sign,
} from 'node:crypto';
import { cose, isoCBOR } from '@simplewebauthn/server/helpers';
import type { Client } from './client.ts';

const sha256 = (data: Buffer | string) => createHash('sha256').update(data).digest();
const encode = (data: Buffer) => data.toString('base64url');

/** What an honest browser and device would not do. */
export type Deviation = {
  origin?: string;
  host?: string;
  challenge?: string;
  type?: string;
  /** The user did not unlock the device. */
  unverified?: boolean;
  counter?: number;
  /** null leaves it out. */
  userHandle?: string | null;
  signWith?: KeyObject;
};

const userPresent = 0x01;
const userVerified = 0x04;
const attestedData = 0x40;

/** A passkey that an earlier test run registered; the key is PKCS #8 in base64. */
export type KeptPasskey = { id: string; privateKey: string; counter: number; userHandle: string };

/** A passkey and the browser that uses it, in software: it also does what no honest device would. */
export class SoftwareAuthenticator {
  readonly #origin: string;
  readonly #id: Buffer;
  readonly #privateKey: KeyObject;
  #counter: number;
  #userHandle: string;

  /** Makes a new passkey unless a test has kept one. */
  constructor(origin: string, kept?: KeptPasskey) {
    this.#origin = origin;
    this.#id = kept ? Buffer.from(kept.id, 'base64url') : randomBytes(32);
    this.#privateKey = kept
      ? createPrivateKey({ key: Buffer.from(kept.privateKey, 'base64'), format: 'der', type: 'pkcs8' })
      : generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey;
    this.#counter = kept?.counter ?? 0;
    this.#userHandle = kept?.userHandle ?? '';
  }

  get credentialId(): string {
    return encode(this.#id);
  }

  #clientData(type: string, challenge: string, deviation: Deviation): Buffer {
    return Buffer.from(
      JSON.stringify({
        type: deviation.type ?? type,
        challenge: deviation.challenge ?? challenge,
        origin: deviation.origin ?? this.#origin,
        crossOrigin: false,
      }),
    );
  }

  #authenticatorData(flags: number, deviation: Deviation, more = Buffer.alloc(0)): Buffer {
    this.#counter += 1;
    const counter = Buffer.alloc(4);
    counter.writeUInt32BE(deviation.counter ?? this.#counter);
    const verified = deviation.unverified ? 0 : userVerified;
    const host = deviation.host ?? new URL(this.#origin).hostname;
    return Buffer.concat([sha256(host), Buffer.from([flags | userPresent | verified]), counter, more]);
  }

  /** A COSE key. */
  #publicKey(): Uint8Array {
    const { x = '', y = '' } = createPublicKey(this.#privateKey).export({ format: 'jwk' });
    const fields = new Map<number, number | Uint8Array>([
      [cose.COSEKEYS.kty, cose.COSEKTY.EC2],
      [cose.COSEKEYS.alg, cose.COSEALG.ES256],
      [cose.COSEKEYS.crv, cose.COSECRV.P256],
      [cose.COSEKEYS.x, Buffer.from(x, 'base64url')],
      [cose.COSEKEYS.y, Buffer.from(y, 'base64url')],
    ]);
    return isoCBOR.encode(fields);
  }

  /** Answers the options of a setup. */
  register({ challenge, user }: { challenge: string; user?: { id: string } }, deviation: Deviation = {}) {
    this.#userHandle = user?.id ?? '';
    const idLength = Buffer.from([0, this.#id.length]);
    const attested = Buffer.concat([Buffer.alloc(16), idLength, this.#id, this.#publicKey()]);
    const authData = this.#authenticatorData(attestedData, deviation, attested);
    const attestation = new Map<string, string | Uint8Array | Map<string, string>>([
      ['fmt', 'none'],
      ['attStmt', new Map<string, string>()],
      ['authData', authData],
    ]);
    return this.#credential({
      clientDataJSON: encode(this.#clientData('webauthn.create', challenge, deviation)),
      attestationObject: encode(Buffer.from(isoCBOR.encode(attestation))),
      transports: ['internal'],
    });
  }

  /** Answers the options of a sign-in. */
  authenticate({ challenge }: { challenge: string }, deviation: Deviation = {}) {
    const clientData = this.#clientData('webauthn.get', challenge, deviation);
    const authData = this.#authenticatorData(0, deviation);
    const { userHandle = this.#userHandle } = deviation;
    const signed = Buffer.concat([authData, sha256(clientData)]);
    return this.#credential({
      clientDataJSON: encode(clientData),
      authenticatorData: encode(authData),
      signature: encode(sign('sha256', signed, deviation.signWith ?? this.#privateKey)),
      ...(userHandle !== null && { userHandle }),
    });
  }

  #credential<Response extends object>(response: Response) {
    const id = this.credentialId;
    return { id, rawId: id, type: 'public-key', clientExtensionResults: {}, response };
  }
}

/** Adds a new passkey to the account of the session. */
export async function addPasskey(client: Client, origin: string, deviation: Deviation = {}) {
  const device = new SoftwareAuthenticator(origin);
  const { options, state } = (await client.post('/api/auth/passkeys/setup/start')).body;
  const body = { state, name: 'My phone', response: device.register(options, deviation) };
  return { device, options, answer: await client.post('/api/auth/passkeys/setup/verify', body) };
}
