import { spawn } from 'node:child_process';
import { constants } from 'node:os';
import { join } from 'node:path';
import { findNode, giveUp, root } from './install.js';

/** npm passes a terminal's Ctrl-C on although it has arrived here already: within this time it is the same one. */
const ECHO_TIME = 1000;

/** @typedef {{ args: string[], env?: NodeJS.ProcessEnv }} Program */

/**
 * Runs the pinned Node as a server: it hears of signals through us alone, so that one Ctrl-C is one signal,
 * and learns by the closing of its channel when we were killed.
 * @param {string[]} args
 * @returns {Promise<number>} the exit code
 */
export function runServer(args) {
  return runServers([{ args }]);
}

/**
 * Runs servers that belong together: when one ends, so do the others.
 * @param {Program[]} programs
 * @returns {Promise<number>} the exit code of the one that ended first
 */
export async function runServers(programs) {
  const children = programs.map(({ args, env }) =>
    start(args, { stdio: ['inherit', 'inherit', 'inherit', 'ipc'], detached: true, env: env ?? process.env }),
  );
  /** @param {NodeJS.Signals} signal */
  const tellAll = (signal) => {
    for (const child of children) child.kill(signal);
  };
  let passedOnAt = Number.NEGATIVE_INFINITY;
  for (const signal of /** @type {const} */ (['SIGINT', 'SIGTERM', 'SIGHUP'])) {
    process.on(signal, () => {
      if (Date.now() - passedOnAt < ECHO_TIME) return;
      passedOnAt = Date.now();
      tellAll(signal);
    });
  }
  if (process.env.npm_lifecycle_event) onceParentEnds(() => tellAll('SIGTERM'));
  const codes = children.map(exitCode);
  const code = await Promise.race(codes);
  tellAll('SIGTERM');
  await Promise.all(codes);
  return code;
}

/**
 * npm runs us through a shell. When npm is told to end, it tells the shell, which ends without telling us.
 * @param {() => void} listener
 */
function onceParentEnds(listener) {
  const parent = process.ppid;
  const timer = setInterval(() => {
    if (process.ppid === parent) return;
    clearInterval(timer);
    listener();
  }, 500);
}

/**
 * Runs the pinned Node as a tool in the terminal's foreground, where Ctrl-C reaches it without our help.
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
