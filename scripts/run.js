import { spawn } from 'node:child_process';
import { constants } from 'node:os';
import { join } from 'node:path';
import { findNode, giveUp, root } from './install.js';

/** The terminal sends Ctrl-C to npm and to this process, and npm forwards it: within this time both are one. */
const echoMs = 1000;

/** @typedef {{ args: string[], env?: NodeJS.ProcessEnv }} Program */

/**
 * Runs servers under the pinned Node and stops all when one exits. Only this process sends them signals, so that one
 * Ctrl-C is one signal; their IPC channels close when this process is killed.
 * @param {Program[]} programs
 * @returns {Promise<number>} the exit code of the first to exit
 */
export async function runServers(programs) {
  const children = programs.map(({ args, env }) =>
    start(args, { stdio: ['inherit', 'inherit', 'inherit', 'ipc'], detached: true, env: env ?? process.env }),
  );
  /** @param {NodeJS.Signals} signal */
  const signalAll = (signal) => {
    for (const child of children) child.kill(signal);
  };
  let forwardedAt = Number.NEGATIVE_INFINITY;
  for (const signal of /** @type {const} */ (['SIGINT', 'SIGTERM', 'SIGHUP'])) {
    process.on(signal, () => {
      if (Date.now() - forwardedAt < echoMs) return;
      forwardedAt = Date.now();
      signalAll(signal);
    });
  }
  if (process.env.npm_lifecycle_event) onParentExit(() => signalAll('SIGTERM'));
  const codes = children.map(exitCode);
  const code = await Promise.race(codes);
  signalAll('SIGTERM');
  await Promise.all(codes);
  return code;
}

/**
 * npm runs this process through a shell and signals only the shell, which exits without passing the signal on.
 * @param {() => void} listener
 */
function onParentExit(listener) {
  const parent = process.ppid;
  const timer = setInterval(() => {
    if (process.ppid === parent) return;
    clearInterval(timer);
    listener();
  }, 500);
}

/**
 * Runs the pinned Node in the foreground. On a terminal, Ctrl-C reaches the tool too and is not forwarded.
 * @param {string[]} args
 * @param {NodeJS.ProcessEnv} [env]
 * @returns {Promise<number>} the exit code
 */
export function runTool(args, env = process.env) {
  const child = start(args, { stdio: 'inherit', env });
  process.on('SIGINT', () => {
    if (!process.stdin.isTTY) child.kill('SIGINT');
  });
  process.on('SIGTERM', () => child.kill('SIGTERM'));
  process.on('SIGHUP', () => child.kill('SIGHUP'));
  return exitCode(child);
}

/**
 * @param {string} name a program from node_modules
 * @param {string[]} args
 * @param {NodeJS.ProcessEnv} [env]
 * @returns {Promise<number>} the exit code
 */
export function runInstalled(name, args, env) {
  return runTool([join(root, 'node_modules', '.bin', name), ...args], env);
}

/**
 * @param {string[]} args
 * @param {import('node:child_process').SpawnOptions} options
 */
function start(args, options) {
  const node = findNode();
  const child = spawn(node, args, { ...options, cwd: root });
  child.once('error', (error) => giveUp(`${node} could not be run: ${error.message}`));
  return child;
}

/**
 * @param {import('node:child_process').ChildProcess} child
 * @returns {Promise<number>}
 */
function exitCode(child) {
  return new Promise((resolve) => {
    child.once('exit', (code, signal) => resolve(signal ? 128 + constants.signals[signal] : (code ?? 1)));
  });
}
