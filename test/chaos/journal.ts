/** What the app remembers of its own work. It outlives every crash of the service, so it is the witness. */

/** What happened to one step of one run. */
export interface StepHistory {
  runId: string;
  step: string;
  /** How often it was executed. */
  executions: number;
  /** Number of its last execution; these numbers are never used twice. */
  last: number;
  /** The service had answered its checkpoint with 200 before it was executed again. */
  ranAfterAcknowledgement: boolean;
}

export interface Journal {
  /** A step begins. @returns the number of this execution */
  began(runId: string, step: string): number;
  /** The service has answered the checkpoint of a step with 200. */
  acknowledged(runId: string, step: string): void;
  histories(): StepHistory[];
}

export function createJournal(): Journal {
  const steps = new Map<string, StepHistory & { acknowledged: boolean }>();
  let executions = 0;

  const historyOf = (runId: string, step: string) => {
    const key = `${runId}/${step}`;
    let history = steps.get(key);
    if (history === undefined) {
      history = { runId, step, executions: 0, last: 0, ranAfterAcknowledgement: false, acknowledged: false };
      steps.set(key, history);
    }
    return history;
  };

  return {
    began(runId, step) {
      const history = historyOf(runId, step);
      history.executions++;
      history.last = ++executions;
      if (history.acknowledged) history.ranAfterAcknowledgement = true;
      return executions;
    },
    acknowledged(runId, step) {
      historyOf(runId, step).acknowledged = true;
    },
    histories: () => [...steps.values()],
  };
}
