// The options of the networks of `train MODEL --data`, a row each (option_rows.h). Options that all
// of them have stand with each, since defaults and sources differ. A test compares the rows with
// what ReadScorerOptions accepts, published defaults with mode=faithful.
#include "assembly/options/option_rows.h"

namespace schedulegym {

const char* const kNetworkOptions = R"(
mlp | mode | choice | improved | faithful | improved, faithful |  | Defaults of the other options: tuned here, or as published.
mlp | features | choice | estimated | ansor | estimated, ansor | ours; code (TenSet) | Inputs of a statement: the features of Ansor with or without the analytical estimate.
mlp | normalised | bool | false | true | true or false | ours; code (TenSet) | Batch normalisation of the sum over statements.
mlp | task | choice | numbers | words | numbers, words, none | ours; code (TenSet) | Inputs of the computation: those of the observation task, the ten words of TenSet, or none.
mlp | heads | choice | one | one | one, target | code (MTL-TLP) | One output for all programs, or one for each target of the training data.
mlp | width | int | 256 | 256 | 1 to 4096 | code (TenSet) | Units of a layer.
mlp | blocks | int | 2 | 2 | 0 to 16 | code (TenSet) | Residual blocks before the output.
mlp | adapt | choice | trees | tune | trees, none, tune, momentum, residual | ours; code (TenSet, Pruner) | In a search: trees replace it after 101 schedules, it stays as it is, its weights are trained further, slow weights follow those, or trees correct it.
mlp | momentum | float | 0.9 | 0.9 | 0.0 to 1.0 | ours; code (Pruner) | With adapt=momentum: how much of the slow weights stays at each training.
mlp | tune_epochs | int | 10 | 10 | 1 to 1000 | ours; code (TenSet) | With adapt=tune or momentum: epochs of a training.
mlp | tune_steps | int | 0 | 10 | 0 to 100000 | ours; code (TenSet) | Its batches, at most; 0: those of the epochs.
mlp | tune_new | int | 16 | 64 | 1 to 100000 | ours; code (TenSet) | Measured schedules since the last training that make one due.
mlp | tune_part | int | 5 | 0 | 0 to 1000 | ours; code (TenSet) | They are also one in so many of those before; 0: whatever there were.
mlp | tune_optimiser | choice | same | sgd | same, adam, sgd | ours; code (TenSet) | Descent in a search: that of the training before, or another; sgd is without decay.
mlp | tune_rate | float | 0 | 0.04 | 0.0 to 1.0 | ours; code (TenSet) | Learning rate in a search; 0: that of the training before.
mlp | label | choice | task | task | task, reference, logarithm, absolute | code (TenSet) | What a score is learned from: the task's least seconds over the program's; the speed over the reference schedule, at least 0.01, or its logarithm; FLOP/s, standardised over all programs.
mlp | loss | choice | lambdarank | lambdarank | lambdarank, ranknet, mse, plain_mse, mape | code (TenSet) | Loss of the scores of a list, or of each score; mse is of its sigmoid.
mlp | lists | choice | task | batch | task, batch | ours; code (TenSet) | Programs that a loss compares: those of one task, or of the whole batch.
mlp | batch | int | 512 | 512 | 2 to 65536 | code (TenSet) | Programs of a step, at most.
mlp | list | int | 64 | 64 | 2 to 65536 | ours | Programs of one task in a step, at most; with lists=task.
mlp | bins | int | 0 | 0 | 0 to 65536 | code (One-Shot Tuner) | With lists=batch: programs are drawn as often from each of so many bins of the label; 0: each once.
mlp | optimiser | choice | adam | adam | adam, sgd | code (TenSet) | Adam, or plain gradient descent.
mlp | rate | float | 0.0007 | 0.0007 | 1e-08 to 1.0 | code (TenSet) | Learning rate, the highest of a plan.
mlp | rates | choice | constant | constant | constant, cosine, onecycle | code (TenSet) | Plan of the learning rate: the same always, half a cosine down to 0, or up from 1/25 of it and down to 1/250,000.
mlp | decay | float | 1e-06 | 1e-06 | 0.0 to 1.0 | code (TenSet) | L2 decay, added to the gradient.
mlp | longest_gradient | float | 0.5 | 0.5 | 0.0 to 1000000.0 | code (TenSet) | Gradients are clipped to this norm; 0: never.
mlp | epochs | int | 50 | 50 | 1 to 100000 | code (TenSet) | Epochs, at most.
mlp | patience | int | 8 | 8 | 1 to 100000 | code (TenSet) | Epochs without a better one that end training.
mlp | held_out | float | 0.1 | 0 | 0.0 to 0.5 | ours | Share of the tasks that choose the epoch; 0: none, the last one is kept, or with choice=loss that of the least training loss.
mlp | choice | choice | pairs | pairs | pairs, loss | ours | The better epoch has more pairs in the right order, or the lesser loss.
tlp | mode | choice | improved | faithful | improved, faithful |  | Defaults of the other options: tuned here, or as published.
tlp | task | choice | numbers | none | numbers, words, none | ours; code (TLP) | Inputs of the computation: those of the observation task, the ten words of TenSet, or none.
tlp | heads | choice | one | one | one, target | code (MTL-TLP) | One output for all programs, or one for each target of the training data.
tlp | width | int | 64 | 256 | 1 to 4096 | ours; code (TLP) | Units of a layer.
tlp | blocks | int | 2 | 2 | 0 to 16 | code (TLP) | Residual blocks before the output.
tlp | length | int | 48 | 25 | 1 to 512 | ours; code (TLP) | Tokens seen of a trace.
tlp | fields | int | 20 | 11 | 1 to 64 | ours; code (TLP) | Numbers of a token beside its kind.
tlp | scale | choice | shares | plain | shares, plain, log | ours; code (TLP) | Numbers of a token within [0, 1], as they stand, or of these log2(1 + x).
tlp | kept | choice | last | first | last, first | ours; code (TLP) | Tokens seen of a longer trace.
tlp | masked | bool | true | false | true or false | ours; code (TLP) | Padding takes no part.
tlp | positions | bool | false | false | true or false | code (TLP) | A learned vector is added to each position.
tlp | mixing | choice | attention | attention | attention, lstm, none | code (TLP) | Mixing of tokens before they are summed; of an LSTM the last state is scored.
tlp | attention_heads | int | 8 | 8 | 1 to 64 | code (TLP) | Heads of the attention, a divisor of the width.
tlp | adapt | choice | trees | none | trees, none, tune, momentum, residual | ours; code (TenSet, Pruner) | In a search: trees replace it after 101 schedules, it stays as it is, its weights are trained further, slow weights follow those, or trees correct it.
tlp | momentum | float | 0.9 | 0.9 | 0.0 to 1.0 | ours; code (Pruner) | With adapt=momentum: how much of the slow weights stays at each training.
tlp | tune_epochs | int | 10 | 10 | 1 to 1000 | ours | With adapt=tune or momentum: epochs of a training.
tlp | tune_steps | int | 0 | 0 | 0 to 100000 | ours | Its batches, at most; 0: those of the epochs.
tlp | tune_new | int | 16 | 16 | 1 to 100000 | ours | Measured schedules since the last training that make one due.
tlp | tune_part | int | 5 | 5 | 0 to 1000 | ours | They are also one in so many of those before; 0: whatever there were.
tlp | tune_optimiser | choice | same | same | same, adam, sgd | ours | Descent in a search: that of the training before, or another; sgd is without decay.
tlp | tune_rate | float | 0 | 0 | 0.0 to 1.0 | ours | Learning rate in a search; 0: that of the training before.
tlp | label | choice | task | task | task, reference, logarithm, absolute | code (TLP) | What a score is learned from: the task's least seconds over the program's; the speed over the reference schedule, at least 0.01, or its logarithm; FLOP/s, standardised over all programs.
tlp | loss | choice | lambdarank | lambdarank | lambdarank, ranknet, mse, plain_mse, mape | code (TLP) | Loss of the scores of a list, or of each score; mse is of its sigmoid.
tlp | lists | choice | task | batch | task, batch | ours; code (TLP) | Programs that a loss compares: those of one task, or of the whole batch.
tlp | batch | int | 512 | 1024 | 2 to 65536 | code (TLP) | Programs of a step, at most.
tlp | list | int | 64 | 64 | 2 to 65536 | ours | Programs of one task in a step, at most; with lists=task.
tlp | bins | int | 0 | 0 | 0 to 65536 | code (One-Shot Tuner) | With lists=batch: programs are drawn as often from each of so many bins of the label; 0: each once.
tlp | optimiser | choice | adam | adam | adam, sgd | code (TLP) | Adam, or plain gradient descent.
tlp | rate | float | 0.0007 | 0.0007 | 1e-08 to 1.0 | code (TLP) | Learning rate, the highest of a plan.
tlp | rates | choice | constant | constant | constant, cosine, onecycle | code (TLP) | Plan of the learning rate: the same always, half a cosine down to 0, or up from 1/25 of it and down to 1/250,000.
tlp | decay | float | 1e-06 | 1e-06 | 0.0 to 1.0 | code (TLP) | L2 decay, added to the gradient.
tlp | longest_gradient | float | 0.5 | 0.5 | 0.0 to 1000000.0 | code (TLP) | Gradients are clipped to this norm; 0: never.
tlp | epochs | int | 50 | 50 | 1 to 100000 | code (TLP) | Epochs, at most.
tlp | patience | int | 8 | 50 | 1 to 100000 | code (TLP) | Epochs without a better one that end training.
tlp | held_out | float | 0.1 | 0 | 0.0 to 0.5 | ours | Share of the tasks that choose the epoch; 0: none, the last one is kept, or with choice=loss that of the least training loss.
tlp | choice | choice | pairs | pairs | pairs, loss | ours | The better epoch has more pairs in the right order, or the lesser loss.
pacm | mode | choice | improved | faithful | improved, faithful |  | Defaults of the other options: tuned here, or as published.
pacm | features | choice | estimated | ansor | estimated, ansor | ours; code (Pruner) | Inputs of a statement: the features of Ansor with or without the analytical estimate.
pacm | normalised | bool | false | true | true or false | ours; code (Pruner) | Batch normalisation of the sum over statements.
pacm | statements | bool | true | true | true or false | code (Pruner) | The branch of statements.
pacm | dataflow | bool | true | true | true or false | code (Pruner) | The branch of accesses of the main reduction.
pacm | task | choice | numbers | words | numbers, words, none | ours; code (Pruner) | Inputs of the computation: those of the observation task, the ten words of TenSet, or none.
pacm | heads | choice | one | one | one, target | code (MTL-TLP) | One output for all programs, or one for each target of the training data.
pacm | width | int | 256 | 256 | 1 to 4096 | code (Pruner) | Units of a layer.
pacm | blocks | int | 2 | 2 | 0 to 16 | code (Pruner) | Residual blocks before the output.
pacm | adapt | choice | trees | momentum | trees, none, tune, momentum, residual | ours; code (TenSet, Pruner) | In a search: trees replace it after 101 schedules, it stays as it is, its weights are trained further, slow weights follow those, or trees correct it.
pacm | momentum | float | 0.9 | 0.99 | 0.0 to 1.0 | ours; code (Pruner) | With adapt=momentum: how much of the slow weights stays at each training.
pacm | tune_epochs | int | 10 | 10 | 1 to 1000 | ours; code (Pruner) | With adapt=tune or momentum: epochs of a training.
pacm | tune_steps | int | 0 | 0 | 0 to 100000 | ours; code (Pruner) | Its batches, at most; 0: those of the epochs.
pacm | tune_new | int | 16 | 40 | 1 to 100000 | ours; code (Pruner) | Measured schedules since the last training that make one due.
pacm | tune_part | int | 5 | 0 | 0 to 1000 | ours; code (Pruner) | They are also one in so many of those before; 0: whatever there were.
pacm | tune_optimiser | choice | same | sgd | same, adam, sgd | ours; code (Pruner) | Descent in a search: that of the training before, or another; sgd is without decay.
pacm | tune_rate | float | 0 | 0.0007 | 0.0 to 1.0 | ours; code (Pruner) | Learning rate in a search; 0: that of the training before.
pacm | label | choice | task | task | task, reference, logarithm, absolute | code (Pruner) | What a score is learned from: the task's least seconds over the program's; the speed over the reference schedule, at least 0.01, or its logarithm; FLOP/s, standardised over all programs.
pacm | loss | choice | lambdarank | lambdarank | lambdarank, ranknet, mse, plain_mse, mape | code (Pruner) | Loss of the scores of a list, or of each score; mse is of its sigmoid.
pacm | lists | choice | task | batch | task, batch | ours; code (Pruner) | Programs that a loss compares: those of one task, or of the whole batch.
pacm | batch | int | 512 | 512 | 2 to 65536 | code (Pruner) | Programs of a step, at most.
pacm | list | int | 64 | 64 | 2 to 65536 | ours | Programs of one task in a step, at most; with lists=task.
pacm | bins | int | 0 | 0 | 0 to 65536 | code (One-Shot Tuner) | With lists=batch: programs are drawn as often from each of so many bins of the label; 0: each once.
pacm | optimiser | choice | adam | adam | adam, sgd | code (Pruner) | Adam, or plain gradient descent.
pacm | rate | float | 0.0007 | 0.0007 | 1e-08 to 1.0 | code (Pruner) | Learning rate, the highest of a plan.
pacm | rates | choice | constant | constant | constant, cosine, onecycle | code (Pruner) | Plan of the learning rate: the same always, half a cosine down to 0, or up from 1/25 of it and down to 1/250,000.
pacm | decay | float | 1e-06 | 1e-06 | 0.0 to 1.0 | code (Pruner) | L2 decay, added to the gradient.
pacm | longest_gradient | float | 0.5 | 0.5 | 0.0 to 1000000.0 | code (Pruner) | Gradients are clipped to this norm; 0: never.
pacm | epochs | int | 50 | 50 | 1 to 100000 | code (Pruner) | Epochs, at most.
pacm | patience | int | 8 | 16 | 1 to 100000 | code (Pruner) | Epochs without a better one that end training.
pacm | held_out | float | 0.1 | 0 | 0.0 to 0.5 | ours | Share of the tasks that choose the epoch; 0: none, the last one is kept, or with choice=loss that of the least training loss.
pacm | choice | choice | pairs | pairs | pairs, loss | ours | The better epoch has more pairs in the right order, or the lesser loss.
recursive | mode | choice | improved | faithful | improved, faithful |  | Defaults of the other options: tuned here, or as published.
recursive | features | choice | estimated | ansor | estimated, ansor | ours; code (Tiramisu) | Inputs of a statement: the features of Ansor with or without the analytical estimate.
recursive | tree | bool | true | true | true or false | code (Tiramisu) | The tree of loops; without it the embeddings of statements are summed.
recursive | loops | bool | true | true | true or false | code (Tiramisu) | The eight numbers of each loop.
recursive | zero_start | bool | false | true | true or false | ours; code (Tiramisu) | Weights of the layers of loops begin at 0.
recursive | accesses | bool | false | true | true or false | ours; code (Tiramisu) | Strides of the first eight accesses of a statement by its seven innermost loops.
recursive | dropout | float | 0 | 0.05 | 0.0 to 0.9 | ours; code (Tiramisu) | Share of the numbers within the layers of statements and loops that training leaves out.
recursive | loss_batch | int | 0 | 1024 | 0 to 65536 | ours; code (Tiramisu) | The loss of a batch counts by its programs over so many; 0: each batch alike.
recursive | task | choice | numbers | none | numbers, words, none | ours; code (Tiramisu) | Inputs of the computation: those of the observation task, the ten words of TenSet, or none.
recursive | heads | choice | one | one | one, target | code (MTL-TLP) | One output for all programs, or one for each target of the training data.
recursive | width | int | 64 | 180 | 1 to 4096 | ours; code (Tiramisu) | Length of an embedding.
recursive | adapt | choice | trees | none | trees, none, tune, momentum, residual | ours; code (TenSet, Pruner) | In a search: trees replace it after 101 schedules, it stays as it is, its weights are trained further, slow weights follow those, or trees correct it.
recursive | momentum | float | 0.9 | 0.9 | 0.0 to 1.0 | ours; code (Pruner) | With adapt=momentum: how much of the slow weights stays at each training.
recursive | tune_epochs | int | 10 | 10 | 1 to 1000 | ours | With adapt=tune or momentum: epochs of a training.
recursive | tune_steps | int | 0 | 0 | 0 to 100000 | ours | Its batches, at most; 0: those of the epochs.
recursive | tune_new | int | 16 | 16 | 1 to 100000 | ours | Measured schedules since the last training that make one due.
recursive | tune_part | int | 5 | 5 | 0 to 1000 | ours | They are also one in so many of those before; 0: whatever there were.
recursive | tune_optimiser | choice | same | same | same, adam, sgd | ours | Descent in a search: that of the training before, or another; sgd is without decay.
recursive | tune_rate | float | 0 | 0 | 0.0 to 1.0 | ours | Learning rate in a search; 0: that of the training before.
recursive | label | choice | task | reference | task, reference, logarithm, absolute | ours; code (Tiramisu) | What a score is learned from: the task's least seconds over the program's; the speed over the reference schedule, at least 0.01, or its logarithm; FLOP/s, standardised over all programs.
recursive | loss | choice | lambdarank | mape | lambdarank, ranknet, mse, plain_mse, mape | ours; code (Tiramisu) | Loss of the scores of a list, or of each score; mse is of its sigmoid.
recursive | lists | choice | task | tree | task, batch, tree | ours; code (Tiramisu) | Programs that a loss compares: those of one task, or of the whole batch; with tree a batch has equal trees of loops.
recursive | batch | int | 512 | 2048 | 2 to 65536 | ours; code (Tiramisu) | Programs of a step, at most.
recursive | list | int | 64 | 64 | 2 to 65536 | ours | Programs of one task in a step, at most; with lists=task.
recursive | bins | int | 0 | 0 | 0 to 65536 | code (One-Shot Tuner) | With lists=batch: programs are drawn as often from each of so many bins of the label; 0: each once.
recursive | optimiser | choice | adam | adam | adam, sgd | code (Tiramisu) | Adam, or plain gradient descent.
recursive | rate | float | 0.0007 | 0.001 | 1e-08 to 1.0 | ours; code (Tiramisu) | Learning rate, the highest of a plan.
recursive | rates | choice | constant | onecycle | constant, cosine, onecycle | ours; code (Tiramisu) | Plan of the learning rate: the same always, half a cosine down to 0, or up from 1/25 of it and down to 1/250,000.
recursive | decay | float | 1e-06 | 0 | 0.0 to 1.0 | ours | L2 decay, added to the gradient.
recursive | longest_gradient | float | 0.5 | 0 | 0.0 to 1000000.0 | ours | Gradients are clipped to this norm; 0: never.
recursive | epochs | int | 50 | 50 | 1 to 100000 | ours | Epochs, at most; published 1,000.
recursive | patience | int | 8 | 50 | 1 to 100000 | ours | Epochs without a better one that end training.
recursive | held_out | float | 0.1 | 0.1 | 0.0 to 0.5 | ours; code (Tiramisu) | Share of the tasks that choose the epoch; 0: none, the last one is kept, or with choice=loss that of the least training loss.
recursive | choice | choice | pairs | loss | pairs, loss | ours; code (Tiramisu) | The better epoch has more pairs in the right order, or the lesser loss.
stages | mode | choice | improved | faithful | improved, faithful |  | Defaults of the other options: tuned here, or as published.
stages | task | choice | numbers | numbers | numbers, words, none | ours | Inputs of the computation: those of the observation task, the ten words of TenSet, or none.
stages | heads | choice | one | one | one, target | code (MTL-TLP) | One output for all programs, or one for each target of the training data.
stages | width | int | 256 | 256 | 1 to 4096 | ours | Units of the LSTM.
stages | features | choice | estimated | ansor | estimated, ansor | ours; Steiner | Inputs of a stage: the features of Ansor with or without the analytical estimate.
stages | order | bool | true | true | true or false | Steiner | An LSTM over stages; without it they are summed.
stages | acquired | bool | true | true | true or false | Steiner | Rows of the schedule; without them a partial schedule is its count of stages, and the task.
stages | prefixes | int | 4 | 4 | 1 to 1000 | ours | Partial schedules that are learned from for each program, itself among them, at most.
stages | cuts | choice | stages | stages | stages, decisions | Steiner | Where partial schedules end: behind whole stages, or behind any decision.
stages | targets | choice | best | best | best, own | Steiner | Target of a partial schedule: its fastest completion, or the program that it came from.
stages | iterations | int | 0 | 3 | 0 to 100 | Steiner; ours | Value iterations: trainings more, each also on the 32 schedules of 16 tasks that a beam by the network before it finds.
stages | evaluator | choice | pretrained | pretrained | pretrained, analytical | ours | What estimates the speed of these schedules, scaled to the task's measurements.
stages | label | choice | task | logarithm | task, reference, logarithm, absolute | ours; Steiner | What a score is learned from: the task's least seconds over the program's; the speed over the reference schedule, at least 0.01, or its logarithm; FLOP/s, standardised over all programs.
stages | loss | choice | lambdarank | plain_mse | lambdarank, ranknet, mse, plain_mse, mape | ours; Steiner | Loss of the scores of a list, or of each score; mse is of its sigmoid.
stages | lists | choice | decisions | batch | decisions, task, batch | ours; Steiner | Schedules that a loss compares: those of one task with as many decisions, all of one task, or of the whole batch.
stages | batch | int | 512 | 512 | 2 to 65536 | ours | Programs of a step, at most.
stages | list | int | 64 | 64 | 2 to 65536 | ours | Programs of one list in a step, at most; not with lists=batch.
stages | bins | int | 0 | 0 | 0 to 65536 | code (One-Shot Tuner) | With lists=batch: programs are drawn as often from each of so many bins of the label; 0: each once.
stages | optimiser | choice | adam | adam | adam, sgd | ours | Adam, or plain gradient descent.
stages | rate | float | 0.0007 | 0.0007 | 1e-08 to 1.0 | ours | Learning rate, the highest of a plan.
stages | rates | choice | constant | constant | constant, cosine, onecycle | ours | Plan of the learning rate: the same always, half a cosine down to 0, or up from 1/25 of it and down to 1/250,000.
stages | decay | float | 1e-06 | 1e-06 | 0.0 to 1.0 | ours | L2 decay, added to the gradient.
stages | longest_gradient | float | 0.5 | 0.5 | 0.0 to 1000000.0 | ours | Gradients are clipped to this norm; 0: never.
stages | epochs | int | 50 | 50 | 1 to 100000 | ours | Epochs, at most.
stages | patience | int | 8 | 8 | 1 to 100000 | ours | Epochs without a better one that end training.
stages | held_out | float | 0.1 | 0.1 | 0.0 to 0.5 | ours | Share of the tasks that choose the epoch; 0: none, the last one is kept, or with choice=loss that of the least training loss.
stages | choice | choice | pairs | pairs | pairs, loss | ours | The better epoch has more pairs in the right order, or the lesser loss.
oneshot_net | mode | choice | improved | faithful | improved, faithful |  | Defaults of the other options: tuned here, or as published.
oneshot_net | task | choice | numbers | numbers | numbers, words, none | ours | Inputs of the computation: those of the observation task, the ten words of TenSet, or none.
oneshot_net | heads | choice | one | one | one, target | code (MTL-TLP) | One output for all programs, or one for each target of the training data.
oneshot_net | width | int | 256 | 256 | 1 to 4096 | ours | Units of a token; four times as many within a layer.
oneshot_net | blocks | int | 3 | 3 | 0 to 16 | code (One-Shot Tuner) | Transformer layers.
oneshot_net | attention_heads | int | 4 | 4 | 1 to 64 | code (One-Shot Tuner) | Heads of the attention, a divisor of the width.
oneshot_net | dropout | float | 0 | 0.25 | 0.0 to 0.9 | ours; code (One-Shot Tuner) | Share of the numbers within a layer that training leaves out.
oneshot_net | adapt | choice | trees | none | trees, none, tune, momentum, residual | ours; code (TenSet, Pruner) | In a search: trees replace it after 101 schedules, it stays as it is, its weights are trained further, slow weights follow those, or trees correct it.
oneshot_net | momentum | float | 0.9 | 0.9 | 0.0 to 1.0 | ours; code (Pruner) | With adapt=momentum: how much of the slow weights stays at each training.
oneshot_net | tune_epochs | int | 10 | 10 | 1 to 1000 | ours | With adapt=tune or momentum: epochs of a training.
oneshot_net | tune_steps | int | 0 | 0 | 0 to 100000 | ours | Its batches, at most; 0: those of the epochs.
oneshot_net | tune_new | int | 16 | 16 | 1 to 100000 | ours | Measured schedules since the last training that make one due.
oneshot_net | tune_part | int | 5 | 5 | 0 to 1000 | ours | They are also one in so many of those before; 0: whatever there were.
oneshot_net | tune_optimiser | choice | same | same | same, adam, sgd | ours | Descent in a search: that of the training before, or another; sgd is without decay.
oneshot_net | tune_rate | float | 0 | 0 | 0.0 to 1.0 | ours | Learning rate in a search; 0: that of the training before.
oneshot_net | label | choice | task | absolute | task, reference, logarithm, absolute | ours; code (One-Shot Tuner) | What a score is learned from: the task's least seconds over the program's; the speed over the reference schedule, at least 0.01, or its logarithm; FLOP/s, standardised over all programs.
oneshot_net | loss | choice | lambdarank | plain_mse | lambdarank, ranknet, mse, plain_mse, mape | ours; code (One-Shot Tuner) | Loss of the scores of a list, or of each score; mse is of its sigmoid.
oneshot_net | lists | choice | task | batch | task, batch | ours; code (One-Shot Tuner) | Programs that a loss compares: those of one task, or of the whole batch.
oneshot_net | batch | int | 512 | 4096 | 2 to 65536 | ours; code (One-Shot Tuner) | Programs of a step, at most.
oneshot_net | list | int | 64 | 64 | 2 to 65536 | ours | Programs of one task in a step, at most; with lists=task.
oneshot_net | bins | int | 0 | 100 | 0 to 65536 | code (One-Shot Tuner) | With lists=batch: programs are drawn as often from each of so many bins of the label; 0: each once.
oneshot_net | optimiser | choice | adam | adam | adam, sgd | ours; code (One-Shot Tuner) | Adam, or plain gradient descent.
oneshot_net | rate | float | 0.0007 | 0.0001 | 1e-08 to 1.0 | ours; code (One-Shot Tuner) | Learning rate, the highest of a plan.
oneshot_net | rates | choice | constant | cosine | constant, cosine, onecycle | ours; code (One-Shot Tuner) | Plan of the learning rate: the same always, half a cosine down to 0, or up from 1/25 of it and down to 1/250,000.
oneshot_net | decay | float | 1e-06 | 0.0002 | 0.0 to 1.0 | ours; code (One-Shot Tuner) | L2 decay, added to the gradient.
oneshot_net | longest_gradient | float | 0.5 | 0 | 0.0 to 1000000.0 | ours | Gradients are clipped to this norm; 0: never.
oneshot_net | epochs | int | 50 | 200 | 1 to 100000 | ours; code (One-Shot Tuner) | Epochs, at most.
oneshot_net | patience | int | 8 | 200 | 1 to 100000 | ours | Epochs without a better one that end training.
oneshot_net | held_out | float | 0.1 | 0 | 0.0 to 0.5 | ours | Share of the tasks that choose the epoch; 0: none, the last one is kept, or with choice=loss that of the least training loss.
oneshot_net | choice | choice | pairs | loss | pairs, loss | ours; code (One-Shot Tuner) | The better epoch has more pairs in the right order, or the lesser loss.
)";

}  // namespace schedulegym
