/**
 * Counters, gauges and histograms in the Prometheus text format. Own code: the service needs three kinds,
 * and `labels()` gives a handle whose `inc()` is one addition (docs/decisions/0002-dependencies.md).
 */

/** A number that only goes up. */
export interface Counter {
  inc(by?: number): void;
}

/** Where values fall; the unit is in the metric's name. */
export interface Histogram {
  observe(value: number): void;
}

/** One instrument per combination of label values; keep the handle where a path is hot. */
export interface Labelled<T> {
  /** @param values in the order the labels were declared */
  labels(...values: (string | number)[]): T;
}

/** Values past this many combinations share one series, so that no input can fill the memory. */
const MAX_SERIES = 500;

export interface Registry {
  counter(name: string, help: string): Counter;
  labelledCounter(name: string, help: string, labels: string[]): Labelled<Counter>;
  histogram(name: string, help: string, bounds: number[]): Histogram;
  /** Read when the metrics are; several values carry a label each. */
  reading(
    type: "gauge" | "counter",
    name: string,
    help: string,
    read: () => number | [labels: string, value: number][],
  ): void;
  render(): string;
}

/**
 * An empty set of instruments.
 * @param prefix put before every name
 * @example createRegistry("svc_").counter("requests_total", "Requests answered.").inc()
 */
export function createRegistry(prefix: string): Registry {
  const metrics: (() => string)[] = [];

  function add(type: string, name: string, help: string, samples: () => string): void {
    metrics.push(() => `# HELP ${prefix}${name} ${help}\n# TYPE ${prefix}${name} ${type}\n${samples()}`);
  }

  return {
    counter(name, help) {
      const cell = createCell();
      add("counter", name, help, () => `${prefix}${name} ${cell.value}\n`);
      return cell;
    },

    labelledCounter(name, help, labels) {
      const root: Node = new Map();
      const series: { text: string; cell: Cell }[] = [];
      let overflow: Cell | undefined;
      add("counter", name, help, () =>
        series.map(({ text, cell }) => `${prefix}${name}{${text}} ${cell.value}\n`).join(""),
      );
      const create = (values: (string | number)[]): Cell => {
        const cell = createCell();
        const text = labels.map((label, i) => `${label}="${escapeLabel(String(values[i]))}"`).join(",");
        series.push({ text, cell });
        return cell;
      };
      return {
        labels(...values) {
          // A map per label: finding a series builds no text.
          let node = root;
          for (let i = 0; i < values.length - 1; i++) {
            let next = node.get(values[i]!) as Node | undefined;
            if (!next) {
              if (series.length >= MAX_SERIES) break;
              next = new Map();
              node.set(values[i]!, next);
            }
            node = next;
          }
          const last = values[values.length - 1]!;
          const found = node.get(last);
          if (found && !(found instanceof Map)) return found;
          if (series.length >= MAX_SERIES) {
            overflow ??= create(labels.map(() => "other"));
            return overflow;
          }
          const cell = create(values);
          node.set(last, cell);
          return cell;
        },
      };
    },

    histogram(name, help, bounds) {
      const counts = new Float64Array(bounds.length + 1);
      let sum = 0;
      add("histogram", name, help, () => {
        let text = "";
        let total = 0;
        for (let i = 0; i <= bounds.length; i++) {
          total += counts[i]!;
          text += `${prefix}${name}_bucket{le="${bounds[i] ?? "+Inf"}"} ${total}\n`;
        }
        return `${text}${prefix}${name}_sum ${sum}\n${prefix}${name}_count ${total}\n`;
      });
      return {
        observe(value) {
          let i = 0;
          while (i < bounds.length && value > bounds[i]!) i++;
          counts[i]!++;
          sum += value;
        },
      };
    },

    reading(type, name, help, read) {
      add(type, name, help, () => {
        const value = read();
        if (typeof value === "number") return `${prefix}${name} ${value}\n`;
        return value.map(([labels, number]) => `${prefix}${name}{${labels}} ${number}\n`).join("");
      });
    },

    render: () => metrics.map((metric) => metric()).join(""),
  };
}

interface Cell extends Counter {
  value: number;
}
type Node = Map<string | number, Node | Cell>;

function createCell(): Cell {
  const cell: Cell = {
    value: 0,
    inc(by = 1) {
      cell.value += by;
    },
  };
  return cell;
}

function escapeLabel(text: string): string {
  return text.replace(/[\\"\n]/g, (character) => (character === "\n" ? "\\n" : `\\${character}`));
}
