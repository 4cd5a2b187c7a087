use std::time::Instant;
use treewright_core::control::Control;
use treewright_core::data::LinearNetwork;
use treewright_core::evolve::Source;
use treewright_core::prune_program::{TreePruning, naive, vocabulary};
use treewright_core::random::Random;
use treewright_core::synthesis::{Bench, Plan, Problem, judge, vary};

fn main() {
    let mut networks = Vec::new();
    for n_inputs in [10, 11, 12] {
        for n_removed in 0..5 {
            for train_share in [0.1, 0.125, 0.15, 0.175] {
                networks.push(LinearNetwork { n_inputs, n_removed, train_share });
            }
        }
    }
    let source = Source::Networks { networks, seed: 1 };
    let trees = source.trees(60, &Control::unlimited()).unwrap();
    let nodes: Vec<usize> = trees.iter().map(|t| t.nodes.len()).collect();
    eprintln!("{} nodes, largest {}", nodes.iter().sum::<usize>(), nodes.iter().max().unwrap());
    let problem = TreePruning::new(&trees).unwrap();
    let start = naive();
    let t = Instant::now();
    let mut bench = Bench::new(&problem);
    for _ in 0..20 {
        judge(&problem, &start, &mut bench, |_, _| false);
    }
    let s = judge(&problem, &start, &mut bench, |_, _| false).unwrap();
    eprintln!(
        "{:?} {:.3} ms per program; scale {}",
        s,
        t.elapsed().as_secs_f64() * 1000.0 / 21.0,
        problem.scale()
    );
    let t = Instant::now();
    let code = start.compile();
    for _ in 0..20 {
        for k in 0..60 {
            let Bench { machine, heap } = &mut bench;
            let n = problem.heap().n_words();
            let r = machine.run(&code, heap, problem.input(k), problem.limits()).unwrap();
            std::hint::black_box(r);
            heap.truncate(n);
        }
    }
    eprintln!("run alone {:.3} ms", t.elapsed().as_secs_f64() * 1000.0 / 20.0);
    // shares
    let (mut none, mut same, mut wrong, mut stopped, mut ok) = (0, 0, 0, 0, 0);
    let mut better = 0;
    let t = Instant::now();
    let mut progs = vec![];
    for i in 0..3000 {
        let mut r = Random::stream(7, i);
        match vary(&start, problem.vocabulary(), 6, &mut r) {
            None => none += 1,
            Some(p) => progs.push(p),
        }
    }
    eprintln!("vary {:.3} ms", t.elapsed().as_secs_f64() * 1000.0 / 3000.0);
    let t = Instant::now();
    for p in &progs {
        let s2 = judge(&problem, p, &mut bench, |_, _| false).unwrap();
        let code = p.compile();
        let (mut st, mut wr) = (false, false);
        for k in 0..60 {
            let Bench { machine, heap } = &mut bench;
            let n = problem.heap().n_words();
            match machine.run(&code, heap, problem.input(k), problem.limits()) {
                Err(_) => st = true,
                Ok(r) => wr |= problem.errors(k, heap, r.value).is_none(),
            }
            heap.truncate(n);
        }
        if st {
            stopped += 1
        } else if wr {
            wrong += 1
        } else if s2.behaviour == s.behaviour {
            same += 1
        } else {
            ok += 1;
            if s2.loss < s.loss {
                better += 1;
            }
        }
    }
    eprintln!(
        "none {none} stopped {stopped} wrong {wrong} same {same} other {ok} better {better} of 3000; judging {:.3} ms",
        t.elapsed().as_secs_f64() * 1000.0 / progs.len() as f64 / 2.0
    );
    let _ = vocabulary();
    let plan = Plan { seed: 1, budget: 4000, polish: 0, most_bits: 700.0 };
    let t = Instant::now();
    let mut search = problem.search(&start, plan).unwrap();
    search.run(&Control::unlimited().threads(1)).unwrap();
    eprintln!(
        "{} programs {} judged in {:.1} s",
        search.n_programs(),
        search.n_judged(),
        t.elapsed().as_secs_f64()
    );
    for m in search.population().members() {
        println!("{} {:.0} bits {} steps {} wrong", m.scored.loss, m.bits, m.scored.steps, m.scored.n_wrong);
    }
    println!("{}", search.best().program);
}
