import { monitorEventLoopDelay, performance } from 'node:perf_hooks';
import { type Aggregator, Counter, Gauge, type Registry } from 'prom-client';
import { prefix } from './metrics.ts';

/**
 * Metrics of the process and its event loop. The default metrics of the library keep running after the application has
 * ended.
 */
export function watchProcess(registry: Registry): { stop(): void } {
  const registers = [registry];
  const gauge = (name: string, help: string, read: () => number, aggregator: Aggregator = 'sum') => {
    const made: Gauge = new Gauge({
      name: prefix + name,
      help,
      registers,
      aggregator,
      collect: () => made.set(read()),
    });
  };
  /** A counter whose value the system counts. */
  const total = (name: string, help: string, read: () => number) => {
    const made: Counter = new Counter({
      name: prefix + name,
      help,
      registers,
      collect() {
        made.reset();
        made.inc(read());
      },
    });
  };

  total('process_cpu_seconds_total', 'Processor time in user and system mode', () => {
    const { user, system } = process.cpuUsage();
    return (user + system) / 1e6;
  });
  gauge(
    'process_start_time_seconds',
    'Start of the process, in seconds since 1970',
    () => Math.round(performance.timeOrigin / 1000),
    'min',
  );
  gauge('process_resident_memory_bytes', 'Memory of the whole process', () => process.memoryUsage.rss());
  gauge('nodejs_heap_used_bytes', 'Memory of JavaScript objects', () => process.memoryUsage().heapUsed);
  gauge(
    'nodejs_heap_size_bytes',
    'Memory reserved for JavaScript objects',
    () => process.memoryUsage().heapTotal,
  );
  gauge('nodejs_external_memory_bytes', 'Memory of buffers', () => process.memoryUsage().external);
  total('nodejs_eventloop_active_seconds_total', 'Time in which the event loop was not idle', () => {
    return performance.eventLoopUtilization().active / 1000;
  });

  const delay = monitorEventLoopDelay({ resolution: 20 });
  delay.enable();
  // The measured delay includes the resolution of 20 ms.
  const seconds = (nanoseconds: number) => Math.max(0, nanoseconds / 1e9 - 0.02);
  for (const percent of [50, 99]) {
    gauge(
      `nodejs_eventloop_lag_p${percent}_seconds`,
      `Delay of timers: ${percent}th percentile`,
      () => seconds(delay.percentile(percent)),
      'max',
    );
  }
  // Registered last, because a scrape resets all three.
  gauge(
    'nodejs_eventloop_lag_max_seconds',
    'Longest delay of timers since the last scrape',
    () => {
      const longest = seconds(delay.max);
      delay.reset();
      return longest;
    },
    'max',
  );
  return { stop: () => void delay.disable() };
}
