//! The themes for colour-blind eyes, seen through such eyes: the simulation of Machado, Oliveira and
//! Fernandes (2009), and how far two colours are apart in CIELAB.

use super::*;

type Vector3 = [f64; 3];

/// The matrices from linear colours to the colours that each kind of eye sees.
const EYES: [(&str, [Vector3; 3]); 3] = [
    (
        "every cone",
        [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]],
    ),
    (
        "protanopia",
        [
            [0.152_286, 1.052_583, -0.204_868],
            [0.114_503, 0.786_281, 0.099_216],
            [-0.003_882, -0.048_116, 1.051_998],
        ],
    ),
    (
        "deuteranopia",
        [
            [0.367_322, 0.860_646, -0.227_968],
            [0.280_085, 0.672_501, 0.047_413],
            [-0.011_820, 0.042_940, 0.968_881],
        ],
    ),
];

/// The distance at which two colours differ at a glance. At a distance of 2, they can just be told apart side by side.
const AT_A_GLANCE: f64 = 19.0;

fn times(matrix: &[Vector3; 3], vector: Vector3) -> Vector3 {
    matrix.map(|row| row.iter().zip(vector).map(|(a, b)| a * b).sum())
}

fn lab(light: Vector3) -> Vector3 {
    const TO_XYZ: [Vector3; 3] = [
        [0.4124, 0.3576, 0.1805],
        [0.2126, 0.7152, 0.0722],
        [0.0193, 0.1192, 0.9505],
    ];
    let xyz = times(&TO_XYZ, light.map(|part| part.clamp(0.0, 1.0)));
    let part = |value: f64, white: f64| {
        let value = value / white;
        if value > 0.008_856 {
            value.cbrt()
        } else {
            7.787 * value + 16.0 / 116.0
        }
    };
    let [x, y, z] = [part(xyz[0], 0.9505), part(xyz[1], 1.0), part(xyz[2], 1.089)];
    [116.0 * y - 16.0, 500.0 * (x - y), 200.0 * (y - z)]
}

fn apart(one: Color, other: Color, eye: &[Vector3; 3]) -> f64 {
    let [one, other] = [one, other].map(|color| lab(times(eye, light(color))));
    let squares = one.iter().zip(other).map(|(a, b)| (a - b).powi(2));
    squares.sum::<f64>().sqrt()
}

#[test]
fn two_themes_are_read_alike_by_colour_blind_eyes() {
    for name in ["okabe-ito", "okabe-ito-light"] {
        let theme = Theme::named(name).unwrap();
        let color = |role: Role| theme.style(role, Depth::True).fg.unwrap();
        for (who, eye) in &EYES {
            // Other roles already differ in a sign, a weight or a slant.
            for group in groups(include_str!("eyes.txt")) {
                for (index, one) in group.iter().enumerate() {
                    for other in &group[..index] {
                        let found = apart(color(*one), color(*other), eye);
                        assert!(
                            found >= AT_A_GLANCE,
                            "{} and {} in {name} with {who}: {found:.1}",
                            one.into_str(),
                            other.into_str()
                        );
                    }
                }
            }
        }
    }
}

#[test]
fn the_simulation_knows_what_such_eyes_confuse() {
    let (red, green) = (Color::Rgb(190, 60, 40), Color::Rgb(110, 110, 30));
    let [view, _, confused] = EYES.map(|(_, eye)| apart(red, green, &eye));
    assert!(view > 40.0 && confused < AT_A_GLANCE, "{view} {confused}");
}
